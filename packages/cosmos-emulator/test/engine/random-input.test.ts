/** Random patches, conditions and bodies: each is applied or refused, and nothing else happens. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ItemOperation, parsePatch } from "../../src/engine/index.ts";
import { CosmosError } from "../../src/protocol/cosmos-error.ts";
import type { JsonValue } from "../../src/protocol/json.ts";
import { bodyOf, dump, type Fixture, openEngine, upsert } from "./support/fixture.ts";

let fixture: Fixture;
beforeAll(() => {
  fixture = openEngine();
});
afterAll(() => fixture[Symbol.dispose]());

const STORED = { id: "1", pk: "a", a: { b: [1, { a: 2 }] }, list: ["x", "y", 3], b: 4 };

/** The status with which the operation ends; anything but a result or a refusal fails the test. */
function statusOf(operation: ItemOperation): number {
  try {
    return fixture.container.execute(["a"], operation).status;
  } catch (error) {
    expect(error).toBeInstanceOf(CosmosError);
    return (error as CosmosError).status;
  }
}

const NAMES = ["a", "b", "list", "0", "1", "-", "__proto__", "constructor", "~1", "~0", "", "x/y"];
const pointer = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .map((names) => `/${names.join("/")}`);
const path = fc.oneof({ weight: 8, arbitrary: pointer }, fc.string());

const operation = fc.record(
  {
    op: fc.constantFrom("add", "set", "replace", "remove", "incr", "move", "copy"),
    path,
    from: path,
    value: fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(2 ** 53 - 1), fc.double()),
  },
  { requiredKeys: ["op", "path"] },
);

it("patches are applied or refused as a whole", () => {
  fc.assert(
    fc.property(fc.array(fc.array(operation, { maxLength: 4 }), { maxLength: 10 }), (patches) => {
      fixture.container.execute(["a"], upsert(STORED));
      for (const patch of patches) {
        const before = dump(fixture.container);
        try {
          const request = parsePatch(JSON.parse(JSON.stringify(patch)) as JsonValue);
          const result = fixture.container.execute(["a"], { kind: "patch", id: "1", patch: request });
          expect(bodyOf(result)).toMatchObject({ id: "1", pk: "a" });
          expect(dump(fixture.container)).toEqual([result.body]);
        } catch (error) {
          expect(error).toBeInstanceOf(CosmosError);
          expect(error).toMatchObject({ status: 400 });
          expect(dump(fixture.container)).toEqual(before);
        }
      }
    }),
    { numRuns: 150 },
  );
});

const WORDS = ["from", "c", "where", "c.a", "=", "1", "(", ")", "and", "not", "'x'", "@p"];
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((parts) => parts.join(" "));

it("conditions are true, not true or refused", () => {
  fixture.container.execute(["a"], upsert(STORED));
  fc.assert(
    fc.property(fc.oneof(fc.string(), words), (condition) => {
      const patch = { condition, operations: [{ op: "set", path: "/a", value: 1 }] } as const;
      expect([200, 400, 412]).toContain(statusOf({ kind: "patch", id: "1", patch }));
    }),
    { numRuns: 150 },
  );
});

const likeAnItem = fc
  .dictionary(fc.constantFrom("id", "pk", "_etag", "ttl", "__proto__", "x"), fc.jsonValue())
  .map((value) => JSON.stringify({ id: "1", pk: "a", ...value }));

it("bodies are stored or refused", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), likeAnItem), (body) => {
      expect([200, 201, 400]).toContain(statusOf({ kind: "upsert", body }));
    }),
    { numRuns: 150 },
  );
});
