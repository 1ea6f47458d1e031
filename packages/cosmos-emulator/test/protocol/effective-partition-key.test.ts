/** The SDK computes effective partition keys too, and routes by them: its own functions are the oracle. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { effectivePartitionKey, splitPoints } from "../../src/protocol/effective-partition-key.ts";
import type { PartitionKeyComponent, PartitionKeyDefinition } from "../../src/protocol/partition-key.ts";

const version1 = { paths: ["/pk"], kind: "Hash", version: 1 } as const;
const version2 = { paths: ["/pk"], kind: "Hash", version: 2 } as const;
const hierarchical = { paths: ["/a", "/b", "/c"], kind: "MultiHash", version: 2 } as const;

let hashBySdk: (key: readonly PartitionKeyComponent[], definition: PartitionKeyDefinition) => string;

beforeAll(async () => {
  const sdk = dirname(createRequire(import.meta.url).resolve("@azure/cosmos/package.json"));
  const module = await import(pathToFileURL(join(sdk, "dist/esm/utils/hashing/hash.js")).href);
  hashBySdk = module.hashPartitionKey;
});

const component = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  fc.string({ minLength: 95, maxLength: 105 }),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
);

describe("effective partition keys", () => {
  it.each([
    ["version 1", version1, fc.tuple(component)],
    ["version 2", version2, fc.tuple(component)],
    ["hierarchical", hierarchical, fc.array(component, { minLength: 1, maxLength: 3 })],
  ] as const)("of %s are those of the SDK", (_name, definition, keys) => {
    fc.assert(
      fc.property(keys as fc.Arbitrary<readonly PartitionKeyComponent[]>, (key) => {
        expect(effectivePartitionKey(key, definition)).toBe(hashBySdk(key, definition));
      }),
      { numRuns: 500 },
    );
  });

  it("of the special values are those of the SDK", () => {
    for (const value of ["", "a", "é", "\u{1f600}", 0, 1, -1, 0.1, 2 ** 53, true, false, null, undefined]) {
      for (const definition of [version1, version2, hierarchical]) {
        expect(effectivePartitionKey([value], definition)).toBe(hashBySdk([value], definition));
      }
    }
  });

  it("of a prefix begin those of all its continuations", () => {
    const prefix = effectivePartitionKey(["a"], hierarchical);
    expect(effectivePartitionKey(["a", 1, null], hierarchical).startsWith(prefix)).toBe(true);
  });
});

describe("split points", () => {
  it.each([version1, version2, hierarchical])("spread keys evenly over ranges (%o)", (definition) => {
    const points = splitPoints(4, definition);
    expect(points).toEqual([...points].sort());
    const counts = [0, 0, 0, 0];
    for (let index = 0; index < 2000; index++) {
      const epk = effectivePartitionKey([`key-${index}`], definition);
      const range = points.filter((point) => point <= epk).length;
      counts[range] = (counts[range] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(400);
  });
});
