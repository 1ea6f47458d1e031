/** Membership while the service throttles or is silent, and with documents that are not as they were written. */
import type { Container } from "@azure/cosmos";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allDocuments, type Document, type RawContainer, rawContainer } from "../invariants/documents.ts";
import { BEAT_MS, Fleet, LEASE_MS } from "./support/fleet.ts";

const MEMBERS = { partitionKey: "__leases__" };

describe("membership", () => {
  let fleet: Fleet;
  let raw: RawContainer;
  let container: Container;

  beforeEach(async () => {
    fleet = await Fleet.start();
    raw = rawContainer(fleet.emulator.connectionString, "duroxide", "duroxide");
    container = raw.container;
  });
  afterEach(async () => {
    raw[Symbol.dispose]();
    await fleet[Symbol.asyncDispose]();
  });

  const warnings = (): string[] => fleet.processes.flatMap((process) => process.warnings);
  const members = async (): Promise<readonly Document[]> =>
    (await allDocuments(container)).filter(({ type }) => type === "member");

  it("waits as long as a throttled service says, and stands", async () => {
    await fleet.settled(3);
    fleet.emulator.faults.add({
      match: MEMBERS,
      next: 6,
      effect: { kind: "error", status: 429, retryAfterMs: 1_500 },
    });
    await fleet.advance(2 * BEAT_MS);
    expect(fleet.teamSizes).toEqual([3, 3, 3]);
    expect(warnings()).toEqual([]);
  });

  it("is over for each while the service takes no beats, which each says once, and begins anew afterwards", async () => {
    await fleet.settled(3);
    const fault = fleet.emulator.faults.add({
      match: MEMBERS,
      effect: { kind: "error", status: 429, retryAfterMs: 1_000 },
    });
    await fleet.advance(LEASE_MS + BEAT_MS);
    expect(fleet.teamSizes).toEqual([1, 1, 1]);
    await fleet.advance(LEASE_MS);
    expect(warnings()).toEqual(
      [1, 2, 3].map(() => expect.stringMatching(/cannot renew its membership, so it queries everything/)),
    );

    fleet.emulator.faults.remove(fault);
    await fleet.advance(3 * BEAT_MS);
    expect(fleet.teamSizes).toEqual([3, 3, 3]);
  });

  it("is not changed by answers that are lost", async () => {
    await fleet.settled(3);
    fleet.emulator.faults.add({ match: MEMBERS, next: 8, effect: { kind: "loseResponse" } });
    await fleet.join();
    await fleet.advance(4 * BEAT_MS);
    expect(fleet.teamSizes).toEqual([4, 4, 4, 4]);
  });

  it("is written again after all documents were removed from outside", async () => {
    await fleet.settled(3);
    await container.deleteAllItemsForPartitionKey("__leases__");
    await fleet.advance(3 * BEAT_MS);
    expect(fleet.teamSizes).toEqual([3, 3, 3]);
  });

  it("passes over the documents of versions that divided the queues by slots, and lets them expire", async () => {
    await fleet.settled(2);
    const former = {
      instanceId: "__leases__",
      layout: 1,
      leaseMs: LEASE_MS,
      groups: { "slots:orch_queue:all": { idleMs: 0, version: 3 } },
    };
    await container.items.create({ ...former, id: "member:a", type: "slot_member", member: "a", ttl: 60 });
    await container.items.create({ ...former, id: "slots:orch_queue:all", type: "slot_table", ttl: 604_800 });
    await fleet.advance(2 * BEAT_MS);
    expect(fleet.teamSizes).toEqual([2, 2]);
    expect(warnings()).toEqual([]);
    await fleet.advance(2 * LEASE_MS);
    const types = (await allDocuments(container)).map(({ type }) => type);
    expect(types.toSorted()).toEqual(["member", "member", "slot_table"]);
  });

  it("leaves nothing behind of processes that died but what the service removes", async () => {
    for (const process of await fleet.settled(20)) process.clock.kill();
    const survivor = await fleet.join();
    await fleet.advance(3 * LEASE_MS);
    expect(survivor.teamSize).toBe(1);
    expect(await members()).toHaveLength(1);
  });

  it("removes the document of a process that closes", async () => {
    const [process] = await fleet.settled(1);
    await process?.membership.close();
    expect(await allDocuments(container)).toEqual([]);
  });
});
