/** Fields of ours that Rust ignores, as they are stored: docs/reference/wire-format.md §2.1 and §3. */
import { describe, expect, it } from "vitest";
import { decodeEvent, decodeWorkItem, encodeEvent, encodeWorkItem } from "../../src/stores/index.ts";
import { type OwnFieldsVector, ownFieldsVectors } from "./vectors.ts";

const rewrite = ({ as }: OwnFieldsVector, text: string): string =>
  as === "Event" ? encodeEvent(decodeEvent(text)) : encodeWorkItem(decodeWorkItem(text));

describe("a document with fields of ours", () => {
  it.each(ownFieldsVectors)("$name is written back byte for byte, with them and without", (vector) => {
    expect(rewrite(vector, vector.raw)).toBe(vector.raw);
    expect(rewrite(vector, vector.without)).toBe(vector.without);
  });

  it.each(ownFieldsVectors)("$name has them behind all fields of Rust", ({ as, raw, without }) => {
    const end = as === "Event" ? -1 : -2;
    expect(raw.startsWith(`${without.slice(0, end)},`)).toBe(true);
  });

  it("is in memory what it is on the wire", () => {
    const revised = ownFieldsVectors.find(({ name }) => name === "OrchestrationStarted_retried");
    expect(decodeEvent(revised?.raw ?? "")).toMatchObject({
      revision: {
        verb: "retry",
        of: 1,
        kept: 7,
        by: "ada",
        reason: "the bank is back",
        at_ms: 1700000000100,
      },
    });
    const keyed = ownFieldsVectors.find(({ name }) => name === "ActivityScheduled_key");
    expect(decodeEvent(keyed?.raw ?? "")).toMatchObject({ key_execution: 1 });
  });

  it.each([
    ["OrchestrationStarted_retried", "revision"],
    ["ActivityScheduled_key", "key_execution"],
    ["TimerCreated_on_cancel", "on_cancel"],
  ])("%s stays readable where another program wrote another %s", (name, field) => {
    const vector = ownFieldsVectors.find((it) => it.name === name);
    for (const other of ['"x"', "null", "[]", '{"verb":1}', "-1"]) {
      const text = `${(vector?.without ?? "").slice(0, -1)},"${field}":${other}}`;
      expect(decodeEvent(text)).not.toHaveProperty(field);
    }
  });
});
