/** Messages that an execution returns when it continues as new (docs/reference/provider-contract.md §7.1). */
import type { WorkItemOf } from "@duroxide-ts/core/stores";
import {
  ack,
  continueItem,
  createInstance,
  fetchOrchestration,
  mustFetch,
  raised,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { allDocuments } from "../invariants/documents.ts";
import { useStage } from "../support/use-stage.ts";

const stage = useStage("returned", () => createInstance(stage, "a"));

type Message = WorkItemOf<"QueueMessage">;

const message = (name: string): Message => ({ kind: "QueueMessage", instance: "a", name, data: "{}" });

const many = (count: number, prefix = "r"): readonly Message[] =>
  Array.from({ length: count }, (_, n) => message(`${prefix}${n}`));

/** Ends the execution that a message wakes, and returns these. */
async function continueWith(returnedMessages: readonly Message[], executionId = 1): Promise<void> {
  await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
  const fetched = await mustFetch(stage);
  await stage.provider.enqueueForOrchestrator(message(`later-${executionId}`));
  await ack(stage, fetched, {
    executionId,
    metadata: { status: "ContinuedAsNew", output: "{}" },
    orchestratorItems: [continueItem("a")],
    returnedMessages,
  });
}

async function names(caller = stage): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let next = await fetchOrchestration(caller); next; next = await fetchOrchestration(caller)) {
    expect(next.attemptCount).toBe(1);
    seen.push(...next.item.messages.flatMap((item) => (item.kind === "QueueMessage" ? [item.name] : [])));
    await ack(caller, next, { executionId: 2 });
  }
  return seen;
}

const named = (messages: readonly Message[]): readonly string[] => messages.map(({ name }) => name);

it.each([40, 250])("%i of them come in their order, over several batches", async (count) => {
  await continueWith(many(count));
  expect(await names()).toEqual([...named(many(count)), "later-1"]);
});

it("those of a later execution come before those of an earlier one", async () => {
  await continueWith(many(40, "first"));
  const fetched = await mustFetch(stage);
  // More than it has read, so that their places would meet those that are left.
  const returned = many(45, "second");
  await ack(stage, fetched, {
    executionId: 2,
    metadata: { status: "ContinuedAsNew", output: "{}" },
    orchestratorItems: [continueItem("a")],
    returnedMessages: returned,
  });
  expect(fetched.item.messages).toHaveLength(30);
  expect(fetched.item.messages).toContainEqual(continueItem("a"));
  expect(await names()).toEqual([...named(returned), ...named(many(40, "first").slice(29)), "later-1"]);
});

it("the times that Rust orders by are positive, and in the same order", async () => {
  await continueWith(many(3));
  const rows = (await allDocuments(stage.raw)).filter(({ type }) => type === "orch_queue");
  const ordered = rows.toSorted((a, b) => Number(a["enqueuedAt"]) - Number(b["enqueuedAt"]));
  const texts = ordered.map(({ workItem }) => String(workItem));
  expect(texts.slice(0, 3).map((text) => JSON.parse(text).QueueMessage.name)).toEqual(named(many(3)));
  const times = ordered.map(({ enqueuedAt }) => enqueuedAt);
  expect(times.every((time) => Number(time) > 0 && Number.isSafeInteger(time))).toBe(true);
  expect(new Set(times.slice(0, 4)).size).toBe(4);
});

it("is refused for an execution that goes on, and for anything but queue messages of the instance", async () => {
  await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
  const fetched = await mustFetch(stage);
  const continued = { metadata: { status: "ContinuedAsNew", output: "{}" } } as const;
  const other = { ...message("m"), instance: "b" };
  await expect(ack(stage, fetched, { returnedMessages: many(1) })).rejects.toMatchObject({
    code: "invalid-input",
  });
  await expect(ack(stage, fetched, { ...continued, returnedMessages: [other] })).rejects.toMatchObject({
    code: "invalid-input",
  });
});

it("a change of the metadata after the call changes nothing that is stored", async () => {
  await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
  const metadata = { status: "Completed", output: "right" };
  const acked = ack(stage, await mustFetch(stage), {
    metadata: metadata as { status: "Completed"; output: string },
  });
  metadata.output = "wrong";
  await acked;
  expect(await stage.provider.getInstanceStatus("a")).toMatchObject({ output: "right" });
});
