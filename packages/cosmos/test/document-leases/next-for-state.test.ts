/** Tests which caller gets which documents of a state. Each behaviour holds with stored procedures and without. */
import type { Container, PartitionKey } from "@azure/cosmos";
import { DocumentLeases } from "@duroxide-ts/cosmos/document-leases";
import { describe, expect, it } from "vitest";
import { callerClock, fixture, LEASE_MS, WAYS } from "./fixture.ts";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n}`);
const ids = (leases: readonly { readonly id: string }[]): string[] => leases.map(({ id }) => id).sort();

describe.each(WAYS)("nextForState by %s", (_, way) => {
  const given = fixture();

  const putAll = (names: readonly string[], fields: Readonly<Record<string, unknown>>): Promise<unknown> =>
    Promise.all(names.map((id) => given().put(id, fields)));

  it("leases the documents of a state, and no more than asked for", async () => {
    await putAll(["a", "b", "c"], { state: "requested", price: 5 });
    await putAll(["x", "y"], { state: "offered" });
    const leases = given().leases(way);

    const first = await leases.nextForState("requested", { limit: 2, holder: "anna" });
    const second = await leases.nextForState("requested", { limit: 2, holder: "ben" });
    const third = await leases.nextForState("requested", { limit: 2, holder: "ben" });

    expect([first.length, second.length, third.length]).toEqual([2, 1, 0]);
    expect(ids([...first, ...second])).toEqual(["a", "b", "c"]);
    for (const { id, holder, token, document } of [...first, ...second]) {
      expect(document).toMatchObject({ id, state: "requested", price: 5, lease: { holder, token } });
      expect(await given().read(id)).toEqual(document);
    }
  });

  it("resolves to an empty list where there are none", async () => {
    await putAll(["a"], { state: "requested" });
    await putAll(["b"], {});
    expect(await given().leases(way).nextForState("agreed", { limit: 5, holder: "anna" })).toEqual([]);
  });

  it("passes over a held document until its lease expires, is broken or given back", async () => {
    await putAll(["a", "b", "c"], { state: "requested" });
    const leases = given().leases(way);
    await leases.acquire("a", "anna");
    await leases.acquire("b", "anna");
    const c = await leases.acquire("c", "anna");
    const next = async () => ids(await leases.nextForState("requested", { limit: 5, holder: "ben" }));

    expect(await next()).toEqual([]);
    expect(await leases.nextForState("requested", { limit: 5, holder: "anna" })).toEqual([]);
    await leases.break("a", "anna");
    await leases.update(c, {}, { giveBack: true });
    expect(await next()).toEqual(["a", "c"]);
    given().passTime(LEASE_MS);
    expect(await next()).toEqual(["a", "b", "c"]);
  });

  it("knows states that are numbers or booleans, and state and lease under other names", async () => {
    const leases = given().leases({ ...way, stateProperty: "negotiation.step", leaseProperty: "claim" });
    await given().put("a", { negotiation: { step: 200 } });
    await given().put("b", { negotiation: { step: true } });
    await given().put("c", { negotiation: { step: "200" } });

    const [two] = await leases.nextForState(200, { limit: 5, holder: "anna" });
    const [yes] = await leases.nextForState(true, { limit: 5, holder: "anna" });

    expect([two?.id, yes?.id]).toEqual(["a", "b"]);
    expect(await given().read("a")).toMatchObject({ claim: { holder: "anna", token: two?.token } });
  });

  it("takes them in the order of a property, over all partitions", async () => {
    const order = [7, 3, 11, 1, 9, 5, 2, 8];
    for (const [n, at] of order.entries()) await given().put(`n${n}`, { state: "requested", at });
    const leases = given().leases({ ...way, orderBy: "at" });

    const rounds = [];
    for (let round = 0; round < 3; round++) {
      const taken = await leases.nextForState("requested", { limit: 3, holder: "anna" });
      rounds.push(taken.map(({ document }) => document["at"]).sort((a, b) => Number(a) - Number(b)));
    }
    expect(rounds).toEqual([
      [1, 2, 3],
      [5, 7, 8],
      [9, 11],
    ]);
  });

  it("looks in one partition only where it is told to", async () => {
    const container = await given().newContainer(["/tenant"]);
    for (const tenant of ["t1", "t2"]) {
      for (const id of numbered(3)) await container.items.create({ id, tenant, state: "requested" });
    }
    const leases = DocumentLeases.on(container, way);

    const options = { limit: 9, holder: "anna", partitionKey: "t2" };
    const taken = await leases.nextForState("requested", options);

    expect(taken.map(({ document }) => document["tenant"])).toEqual(["t2", "t2", "t2"]);
    const rest = await leases.nextForState("requested", { limit: 9, holder: "anna" });
    expect(rest.map(({ partitionKey }) => partitionKey)).toEqual(["t1", "t1", "t1"]);
  });

  const KEYS: readonly (readonly [string, readonly string[], object, PartitionKey])[] = [
    ["a number", ["/shard"], { shard: 0 }, 0],
    ["a boolean", ["/done"], { done: false }, false],
    ["null", ["/shard"], { shard: null }, null],
    ["absent", ["/shard"], {}, {}],
    ["an empty text", ["/shard"], { shard: "" }, ""],
    ["inside an object", ["/where/country"], { where: { country: "ch" } }, "ch"],
    ["hierarchical", ["/tenant", "/id"], { tenant: "t1" }, ["t1", "n1"]],
  ];

  it.each(KEYS)("serves a partition key that is %s", async (_name, paths, fields, partitionKey) => {
    const container = await given().newContainer(paths);
    await container.items.create({ id: "n1", state: "requested", ...fields });
    const leases = DocumentLeases.on(container, way);

    const [lease] = await leases.nextForState("requested", { limit: 1, holder: "anna" });
    expect(lease).toMatchObject({ id: "n1", partitionKey });
    if (lease === undefined) return;
    await leases.update(lease, { state: "offered" }, { giveBack: true });
    const again = await leases.acquire({ id: "n1", partitionKey }, "ben");
    expect(again.document["state"]).toBe("offered");
    await leases.break({ id: "n1", partitionKey }, "ben");
    const options = { limit: 1, holder: "cid", partitionKey };
    expect(await leases.nextForState("offered", options)).toMatchObject([{ id: "n1", partitionKey }]);
  });

  it("takes more than a batch, or an answer, can hold", async () => {
    const container = await given().newContainer(["/tenant"]);
    await fill(container, 230, { tenant: "t1", state: "requested", text: "ä".repeat(15_000) });
    const leases = DocumentLeases.on(container, way);

    const options = { limit: 220, holder: "anna", partitionKey: "t1" };
    const taken = new Set<string>();
    // A procedure ends early where its time is over, and the next call goes on.
    for (let last = options.limit; last > 0; ) {
      const some = ids(await leases.nextForState("requested", options));
      for (const id of some) taken.add(id);
      last = some.length;
    }

    expect(taken.size).toBe(230);
  });

  it("gives each document to exactly one of eight callers that ask at once", async () => {
    const container = await given().newContainer(["/tenant"]);
    for (const tenant of ["t1", "t2", "t3", "t4"]) await fill(container, 60, { tenant, state: "requested" });
    const holders = ["a", "b", "c", "d", "e", "f", "g", "h"];

    const taken = await Promise.all(
      holders.map(async (holder) => {
        const leases = DocumentLeases.on(container, way);
        const mine: string[] = [];
        for (;;) {
          const some = await leases.nextForState("requested", { limit: 7, holder });
          if (some.length === 0) return mine;
          mine.push(...some.map(({ id, partitionKey }) => `${partitionKey}/${id}`));
        }
      }),
    );

    expect(taken.flat()).toHaveLength(240);
    expect(new Set(taken.flat()).size).toBe(240);
  });

  it("leaves the documents of a killed caller to others, when their leases expire", async () => {
    await putAll(numbered(6), { state: "requested" });
    await given().leases(way).nextForState("requested", { limit: 4, holder: "dies" });
    const leases = given().leases({ ...way, clock: callerClock(3) });

    const now = await leases.nextForState("requested", { limit: 9, holder: "anna" });
    given().passTime(LEASE_MS / 2);
    const later = await leases.nextForState("requested", { limit: 9, holder: "anna" });
    given().passTime(LEASE_MS / 2);
    const last = await leases.nextForState("requested", { limit: 9, holder: "ben" });

    expect([now.length, later.length, last.length]).toEqual([2, 0, 6]);
  });
});

async function fill(container: Container, count: number, fields: Readonly<Record<string, unknown>>) {
  const tenant = String(fields["tenant"]);
  for (let from = 0; from < count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from) }, (_, n) => ({
      operationType: "Create" as const,
      resourceBody: { id: `n${from + n}`, ...fields },
    }));
    await container.items.batch(some, tenant);
  }
}
