/** Decoded values of a codec, as tools show them. */
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { shownJson } from "../../src/wire/shown-json.ts";

it.each<[unknown, string | undefined]>([
  [{ total: 2n ** 64n }, '{"total":"18446744073709551616"}'],
  [new Map<unknown, unknown>([["a", new Set([1n])]]), '[["a",["1"]]]'],
  [runInNewContext("new Map([[1, 2]])"), "[[1,2]]"],
  [{ at: new Date(0), none: undefined }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  [undefined, undefined],
])("shows %o as %s", (value, text) => {
  expect(shownJson(value)).toBe(text);
});
