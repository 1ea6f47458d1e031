/** The order of a backlog that is too large for one batch. */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import {
  ack,
  continueItem,
  createInstance,
  fetchOrchestration,
  mustFetch,
  queueMessage,
  raised,
  started,
  startItem,
  timer,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { inMemory, openMemory, type SqliteCaller } from "./support/fixture.ts";

const numbered = (count: number): OrchestratorItem[] =>
  Array.from({ length: count }, (_, n) => raised("i", `message-${n}`));

async function batches(caller: SqliteCaller): Promise<(readonly OrchestratorItem[])[]> {
  const found = [];
  for (let next = await fetchOrchestration(caller); next; next = await fetchOrchestration(caller)) {
    found.push(next.item.messages);
    await ack(caller, next);
  }
  return found;
}

describe("a batch that is cut", () => {
  inMemory("takes the first messages by order time, wherever they became visible", async (store) => {
    const { provider, clock } = store;
    await createInstance(store, "i");
    await provider.enqueueForOrchestrator(raised("i", "hidden"), 500);
    await clock.advance(1);
    await provider.enqueueForOrchestrator(raised("i", "poke"));
    const due = timer("i", clock.now() + 100, 2);
    const overdue = timer("i", clock.now() - 100, 3);
    const many = numbered(1_500);
    await ack(store, await mustFetch(store), { orchestratorItems: [due, ...many, overdue] });
    await clock.advance(500);
    const found = await batches(store);
    expect(found.map(({ length }) => length)).toEqual([1_000, 503]);
    expect(found.flat()).toEqual([overdue, raised("i", "hidden"), ...many, due]);
  });

  it("has the start of the next execution, also when that was given back with a delay", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await createInstance(store, "i");
    await provider.enqueueForOrchestrator(raised("i", "poke"));
    const fetched = await mustFetch(store);
    const many = numbered(2_500);
    await Promise.all(many.map((item) => provider.enqueueForOrchestrator(item)));
    await ack(store, fetched, {
      metadata: { status: "ContinuedAsNew", output: "{}" },
      orchestratorItems: [continueItem("i")],
    });
    for (const _ of [1, 2]) {
      const next = await mustFetch(store);
      expect(next.item.messages).toEqual([...many.slice(0, 1_000), continueItem("i")]);
      await provider.abandonOrchestrationItem(next.lockToken, { delayMs: 10 });
      await clock.advance(10);
    }
  });

  inMemory("has the start of an instance that has a thousand messages already", async (store) => {
    const { provider } = store;
    await Promise.all(numbered(1_200).map((item) => provider.enqueueForOrchestrator(item)));
    await provider.enqueueForOrchestrator(startItem("i"));
    expect((await mustFetch(store)).item.messages).toContainEqual(startItem("i"));
  });
});

describe("returned messages that do not fit into one batch", () => {
  it("are read in their order, although each execution returns what it fetched and did not read", async () => {
    await using store = await openMemory();
    await createInstance(store, "i", { orchestratorItems: [raised("i", "poke")] });
    const all = Array.from({ length: 1_300 }, (_, n) => queueMessage("i", `message-${n}`));
    let unread = all;
    const seen: OrchestratorItem[] = [];
    for (let executionId = 1; seen.length < all.length; executionId++) {
      const next = await mustFetch(store);
      if (executionId > 1) unread = next.item.messages.filter((item) => item.kind === "QueueMessage");
      const read = executionId > 1 ? 200 : 0;
      seen.push(...unread.slice(0, read));
      await ack(store, next, {
        executionId,
        historyDelta: executionId > 1 ? [started("i", executionId)] : [],
        metadata: { status: "ContinuedAsNew", output: "{}" },
        orchestratorItems: [continueItem("i")],
        returnedMessages: unread.slice(read),
      });
    }
    expect(seen).toEqual(all);
  });
});
