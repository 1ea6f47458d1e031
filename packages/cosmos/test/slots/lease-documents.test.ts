/** Documents of leases that are not as they were written: anybody can edit them. */
import type { Container } from "@azure/cosmos";
import { systemClock, systemRandom } from "@duroxide-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LeaseDocuments, type LeaseDocumentsRead } from "../../src/fetching/slots/membership.ts";
import { Service } from "../../src/service/service.ts";

/** What is read where the query answers so. */
function readFrom(documents: readonly object[]): Promise<LeaseDocumentsRead> {
  const query = () => ({ fetchNext: async () => ({ resources: documents, requestCharge: 1 }) });
  const container = { items: { query } } as unknown as Container;
  const requests = new Service(container, {
    clock: systemClock,
    random: systemRandom,
    onRequest: () => {},
    onWarning: () => {},
  });
  return new LeaseDocuments().read(requests.call("test", 1_000), []);
}

const member = {
  id: "member:a",
  _etag: "1",
  _ts: 100,
  type: "slot_member",
  layout: 1,
  member: "a",
  leaseMs: 30_000,
  groups: { g: { idleMs: 5, version: 3 } },
};
const owners = Array.from({ length: 256 }, (_, slot) => slot % 2);
const since = owners.map(() => 4);
const table = {
  id: "t",
  _etag: "2",
  _ts: 100,
  type: "slot_table",
  layout: 1,
  version: 4,
  members: ["a", "b"],
  owners,
  since,
};

describe("documents of leases", () => {
  it("are read as they were written", async () => {
    const { members, tables } = await readFrom([member, table]);
    expect(members).toEqual([
      { id: "a", ts: 100, leaseMs: 30_000, groups: new Map(Object.entries(member.groups)) },
    ]);
    const content = { version: 4, owners: owners.map((index) => table.members[index]), since };
    expect(tables.get("t")).toEqual({ etag: "2", ts: 100, content });
  });

  it.each<[string, object]>([
    ["members that are no list", { members: "a" }],
    ["an owner that is not in the list", { owners: owners.map(() => 2) }],
    ["an owner that is no number", { owners: owners.map(() => "0") }],
    ["a slot too few", { owners: owners.slice(1) }],
    ["no version", { version: -1 }],
    ["no versions of its slots", { since: [] }],
    ["no layout", { layout: null }],
  ])("are spoiled where a table has %s", async (_, values) => {
    const { tables } = await readFrom([{ ...table, ...values }]);
    expect(tables.get("t")?.content).toBe("spoiled");
  });

  it("are others' where their layout is a later one", async () => {
    const { members, tables } = await readFrom([
      { ...member, layout: 2 },
      { ...table, layout: 2 },
    ]);
    expect([members, tables.get("t")?.content]).toEqual([[], "later-layout"]);
  });

  it("may say anything, and are then passed over", async () => {
    const change = fc.dictionary(fc.constantFrom(...Object.keys({ ...member, ...table })), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(change, change, async (a, b) => {
        const { members, tables } = await readFrom([
          { ...member, ...a, type: "slot_member" },
          { ...table, ...b, type: "slot_table" },
        ]);
        for (const { leaseMs, ts, groups } of members) {
          const asked = [...groups.values()].flatMap(({ idleMs, version }) => [idleMs, version]);
          expect([leaseMs, ts, ...asked].every(Number.isSafeInteger)).toBe(true);
        }
        for (const { content } of tables.values()) {
          if (typeof content !== "object") continue;
          expect(content.owners.every((owner) => typeof owner === "string")).toBe(true);
        }
      }),
    );
  });
});
