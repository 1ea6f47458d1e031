/** Messages by order time, and what a batch never leaves out (docs/reference/provider-contract.md §4.1). */
import { encodeWorkItem, type OrchestratorItem } from "@duroxide-ts/core/stores";
import {
  ack,
  continueItem,
  createInstance,
  mustFetch,
  queueMessage,
  raised,
  startItem,
  timer,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { queueRow } from "../support/queue-row.ts";
import { START_MS } from "../support/stage.ts";
import { useStage } from "../support/use-stage.ts";

const stage = useStage("order-time");

async function putRow(item: OrchestratorItem, enqueuedAt: number, visibleAt = enqueuedAt): Promise<void> {
  const row = { id: crypto.randomUUID(), workItem: encodeWorkItem(item), enqueuedAt, visibleAt };
  await stage.raw.items.create(queueRow("orch_queue", "a", row));
}

const many = (count: number): readonly OrchestratorItem[] =>
  Array.from({ length: count }, (_, n) => queueMessage("a", `m${n}`));

it("rows of Rust have their places by order time, too", async () => {
  await createInstance(stage, "a");
  const deadline = timer("a", START_MS + 500);
  await putRow(deadline, START_MS, START_MS + 500);
  await putRow(raised("a", "in time"), START_MS + 400);
  await stage.clock.advance(1_000);
  await stage.provider.enqueueForOrchestrator(raised("a", "late"));
  expect((await mustFetch(stage)).item.messages).toEqual([
    raised("a", "in time"),
    deadline,
    raised("a", "late"),
  ]);
});

it.each([40, 80])("a start is taken with the first of %i messages that came before it", async (count) => {
  for (const message of many(count))
    await stage.provider.enqueueForOrchestrator({ ...message, kind: "ExternalRaised" } as OrchestratorItem);
  await stage.provider.enqueueForOrchestrator(startItem("a"));
  const { item } = await mustFetch(stage);
  expect(item.messages).toHaveLength(30);
  expect(item.messages.at(-1)).toEqual(startItem("a"));
});

it.each([40, 80])(
  "the start of the next execution is taken with the first of %i older messages",
  async (count) => {
    await createInstance(stage, "a");
    await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
    const fetched = await mustFetch(stage);
    const other = await stage.openAnother();
    for (const message of many(count)) await stage.provider.enqueueForOrchestrator(message);
    await stage.clock.advance(1);
    const metadata = { status: "ContinuedAsNew", output: "{}" } as const;
    await ack(stage, fetched, { metadata, orchestratorItems: [continueItem("a")] });
    const { item } = await mustFetch(other);
    expect(item.messages).toEqual([...many(29), continueItem("a")]);
  },
);
