/** The entry for clients in browsers: what it reaches, and what takes the place of Node there. */
import path from "node:path";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { read } from "../../../test/tidy/repository.ts";
import { browserTimers, browserUuid } from "../src/host/browser.ts";
import { types } from "../src/host/node-types.ts";
import { tags } from "../src/host/tags.ts";

/** Imports that the compiler keeps. */
const IMPORTS = /^(?:import|export) (?!type\b)[^;"]*from "([^"]+)"/gm;

/** Modules that the file reaches by imports that are not of types only. */
function reached(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ""] of read(file).matchAll(IMPORTS)) {
    if (specifier.startsWith(".")) reached(path.posix.join(path.posix.dirname(file), specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}

it("reaches no module of Node, and no package", () => {
  const found = [...reached("packages/core/src/browser/index.ts")];
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter((name) => !name.startsWith("packages/core/src/"))).toEqual([]);
});

it("tells kinds of objects apart by their tags as Node does, also those of another realm", () => {
  const values: readonly unknown[] = [
    ...[
      "new Date(0)",
      "new Map",
      "new Set",
      "Promise.resolve()",
      "new TypeError('x')",
      "Object(1)",
      "(function () { return arguments })()",
    ].map((code) => runInNewContext(`(${code})`)),
    ...[Object("a"), Object(true), new Date(1), new Error("x"), new Map(), null, 1, {}, []],
  ];
  const kinds = Object.keys(tags()) as (keyof ReturnType<typeof tags>)[];
  const told = (by: Pick<typeof types, (typeof kinds)[number]>) =>
    values.map((value) => kinds.filter((kind) => by[kind](value)));
  expect(told(tags())).toEqual(told(types));
});

it("makes version 4 UUIDs where the page came without TLS", () => {
  const made = Array.from({ length: 200 }, () => browserUuid());
  for (const uuid of made)
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(made).size).toBe(200);
});

it("calls back in a later round where there is no setImmediate", async () => {
  let called = false;
  const later = new Promise<void>((resolve) =>
    browserTimers().setImmediate(() => {
      called = true;
      resolve();
    }),
  );
  expect(called).toBe(false);
  await later;
});
