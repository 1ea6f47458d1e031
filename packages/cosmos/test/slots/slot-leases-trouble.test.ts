/** What slot leases make of throttling, silence, races, and documents that are not as they left them. */
import type { Container } from "@azure/cosmos";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { slotTableDocumentId } from "../../src/documents/ids.ts";
import { allDocuments, type Document, type RawContainer, rawContainer } from "../invariants/documents.ts";
import { BEAT_MS, Fleet, LEASE_MS, TURNS } from "./support/fleet.ts";

const ALL = 256;
const once = Array.from({ length: ALL }, () => 1);
const LEASES = { partitionKey: "__leases__" };
const TABLE = slotTableDocumentId(TURNS.queue, TURNS.asks);

describe("slot leases", () => {
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

  const sizes = (): number[] => fleet.processes.map((process) => process.serves().size);
  const warnings = (): string[] => fleet.processes.flatMap((process) => process.warnings);
  const documents = (): Promise<readonly Document[]> => allDocuments(container);

  const change = async (id: string, values: object): Promise<void> => {
    const stored = (await documents()).find((each) => each.id === id);
    await container.items.upsert({ ...stored, ...values });
  };

  it("wait as long as a throttled service says, and go on sharing", async () => {
    await fleet.settled(3);
    fleet.emulator.faults.add({
      match: LEASES,
      next: 6,
      effect: { kind: "error", status: 429, retryAfterMs: 1_500 },
    });
    await fleet.advance(2 * BEAT_MS);
    expect(fleet.coverage()).toEqual(once);
    expect(warnings()).toEqual([]);
  });

  it("serve every slot while the service takes no leases, say so once, and share again afterwards", async () => {
    await fleet.settled(3);
    const fault = fleet.emulator.faults.add({
      match: LEASES,
      effect: { kind: "error", status: 429, retryAfterMs: 1_000 },
    });
    await fleet.advance(LEASE_MS + BEAT_MS);
    expect(sizes()).toEqual([ALL, ALL, ALL]);
    await fleet.advance(LEASE_MS);
    expect(warnings()).toHaveLength(3);

    fleet.emulator.faults.remove(fault);
    await fleet.advance(3 * BEAT_MS);
    expect(fleet.coverage()).toEqual(once);
  });

  it("serve every slot when the clock goes back and the service takes no leases", async () => {
    const [jumper] = await fleet.settled(4);
    fleet.emulator.faults.add({ match: LEASES, effect: { kind: "error", status: 503 } });
    if (jumper !== undefined) jumper.clock.offsetMs = -3_600_000;
    await fleet.advance(BEAT_MS);
    expect(sizes()).toEqual([ALL, 64, 64, 64]);
  });

  it("do no harm when answers are lost", async () => {
    await fleet.settled(3);
    fleet.emulator.faults.add({ match: LEASES, next: 8, effect: { kind: "loseResponse" } });
    await fleet.join();
    await fleet.advance(4 * BEAT_MS);
    expect(fleet.coverage()).toEqual(once);
    expect(sizes()).toEqual([64, 64, 64, 64]);
  });

  it("write a table anew that was changed by hand", async () => {
    await fleet.settled(2);
    await change(TABLE, { owners: "all of them" });
    await fleet.advance(2 * BEAT_MS);
    expect(warnings()).toEqual([expect.stringMatching(/cannot be read and is written anew/)]);
    expect(fleet.coverage()).toEqual(once);
  });

  it("give the slots of somebody who does not exist to those who do", async () => {
    await fleet.settled(2);
    await change(TABLE, { members: ["nobody"], owners: Array.from({ length: ALL }, () => 0) });
    await fleet.advance(3 * BEAT_MS);
    expect(fleet.coverage()).toEqual(once);
    expect(sizes()).toEqual([128, 128]);
  });

  it("leave a table of a later version alone, and serve every slot beside it", async () => {
    await fleet.settled(2);
    await change(TABLE, { layout: 2, owners: "in another way" });
    await fleet.advance(3 * BEAT_MS);
    expect(sizes()).toEqual([ALL, ALL]);
    const table = (await documents()).find(({ id }) => id === TABLE);
    expect(table).toMatchObject({ layout: 2, owners: "in another way" });
    expect(warnings()).toEqual([1, 2].map(() => expect.stringMatching(/later version/)));
  });

  it("are renewed and read again when somebody removes all of them", async () => {
    await fleet.settled(3);
    await container.deleteAllItemsForPartitionKey("__leases__");
    await fleet.advance(3 * BEAT_MS);
    expect(fleet.coverage()).toEqual(once);
    expect(sizes().toSorted()).toEqual([85, 85, 86]);
  });

  it("leave nothing behind of processes that died but what the service removes", async () => {
    for (const process of await fleet.settled(20)) process.clock.kill();
    const survivor = await fleet.join();
    await fleet.advance(3 * LEASE_MS);
    expect(survivor.serves().size).toBe(ALL);
    const kept = (await documents()).filter(({ type }) => type === "slot_member");
    expect(kept).toHaveLength(1);
  });

  it("remove the document of a process that closes", async () => {
    const [process] = await fleet.settled(1);
    await process?.leases.close();
    const types = (await documents()).map(({ type }) => type);
    expect(types.toSorted()).toEqual(["slot_table", "slot_table"]);
  });
});
