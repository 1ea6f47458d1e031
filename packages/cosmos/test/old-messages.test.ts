/** Messages to other instances whose sender and all others were away for longer than receipts live. */
import { describe, expect, it } from "vitest";
import { allDocuments, type Document } from "./invariants/documents.ts";
import { cutOff, leaveMessages, MESSAGES } from "./support/half-done.ts";
import { openStage, START_MS } from "./support/stage.ts";
import { begin, commit, fetchPlanned, settle } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("old-messages");

const DAY_MS = 24 * 60 * 60_000;

/** The commit, two deliveries to "b", one to "c", one to "child"; the removal of the messages is forbidden. */
const UNTIL_DELIVERED = 5;

async function leaveDelivered(): Promise<void> {
  await begin(stage, "a", "b", "c");
  const actor = await stage.openAnother();
  const other = { ...actor, clock: stage.clock };
  const fetched = await fetchPlanned(other, "a", { messages: MESSAGES, children: [{ id: "child" }] });
  await cutOff(actor, UNTIL_DELIVERED, () => commit(other, fetched));
  expect(await ofType("outbox_intent")).toHaveLength(4);
}

const ofType = async (type: string): Promise<readonly Document[]> =>
  (await allDocuments(stage.raw)).filter((document) => document.type === type);

const remove = async (documents: readonly Document[]): Promise<void> => {
  for (const { id, instanceId } of documents) await stage.raw.item(id, instanceId).delete();
};

/** Receipts expire; then a process begins, and its reconciler makes a pass. */
async function comeBackAfterADay(): Promise<readonly string[]> {
  await remove(await ofType("receipt"));
  await using later = await openStage(stage.place, START_MS + DAY_MS + 3_600_000, stage.endpoint.send);
  await later.reconcile();
  return [...later.warnings];
}

const eventsOf = async (instanceId: string): Promise<readonly string[]> =>
  (await ofType("history"))
    .filter((document) => document.instanceId === instanceId)
    .map(({ eventData }) => JSON.parse(String(eventData)) as { type: string; name?: string })
    .filter(({ type }) => type === "ExternalEvent")
    .map(({ name = "" }) => name);

describe("messages that are older than receipts", () => {
  it("arrive, where they were never delivered", async () => {
    await leaveMessages(stage);
    await comeBackAfterADay();
    const rows = await ofType("orch_queue");
    expect(rows.map(({ instanceId }) => instanceId).sort()).toEqual(["b", "b", "c", "child"]);
    expect(await ofType("outbox_intent")).toEqual([]);
  });

  it("are not delivered again, where they wait in the queue of the target", async () => {
    await leaveDelivered();
    const warnings = await comeBackAfterADay();
    expect(await ofType("orch_queue")).toHaveLength(4);
    expect(await ofType("outbox_intent")).toEqual([]);
    expect(warnings.filter((warning) => warning.includes("is not delivered again"))).toHaveLength(4);
  });

  it("are not delivered again, where a turn of the target has taken them", async () => {
    await leaveDelivered();
    await settle(stage);
    const before = [await eventsOf("b"), await eventsOf("c"), await eventsOf("a")];
    await comeBackAfterADay();
    expect(await ofType("orch_queue")).toEqual([]);
    expect(await ofType("outbox_intent")).toEqual([]);
    expect([await eventsOf("b"), await eventsOf("c"), await eventsOf("a")]).toEqual(before);
  });

  it("do not start a child again that has answered and was deleted", async () => {
    await leaveDelivered();
    await settle(stage);
    await remove((await allDocuments(stage.raw)).filter(({ instanceId }) => instanceId === "child"));
    await comeBackAfterADay();
    expect((await allDocuments(stage.raw)).filter(({ instanceId }) => instanceId === "child")).toEqual([]);
  });
});
