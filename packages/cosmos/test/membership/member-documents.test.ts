/** Member documents that were edited from outside. */

import type { Container } from "@azure/cosmos";
import { systemClock, systemRandom } from "@duroxide-ts/core";
import { systemProcesses } from "@duroxide-ts/core/stores";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMembers, type StoredMember } from "../../src/fetching/membership/member-documents.ts";
import { Service } from "../../src/service/service.ts";

/** Reads the members if the query answers with these documents. */
function readFrom(documents: readonly object[]): Promise<readonly StoredMember[]> {
  const query = () => ({ fetchNext: async () => ({ resources: documents, requestCharge: 1 }) });
  const container = { items: { query } } as unknown as Container;
  const requests = new Service(container, {
    clock: systemClock,
    random: systemRandom,
    onRequest: () => {},
    processes: systemProcesses,
    onWarning: () => {},
  });
  return readMembers(requests.call("test", 1_000));
}

const member = { _ts: 100, layout: 1, member: "a", leaseMs: 30_000, groups: { g: 5 } };

describe("member documents", () => {
  it("are read as they were written", async () => {
    expect(await readFrom([member])).toEqual([
      { id: "a", ts: 100, leaseMs: 30_000, groups: new Map([["g", 5]]) },
    ]);
  });

  it("of another layout are passed over", async () => {
    expect(await readFrom([{ ...member, layout: 2 }])).toEqual([]);
  });

  it("may say anything, and are then passed over", async () => {
    const change = fc.dictionary(fc.constantFrom(...Object.keys(member)), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(change, async (values) => {
        for (const { leaseMs, ts, groups } of await readFrom([{ ...member, ...values }]))
          expect([leaseMs, ts, ...groups.values()].every(Number.isSafeInteger)).toBe(true);
      }),
    );
  });
});
