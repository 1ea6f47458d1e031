/** Activities that one search locks, and that one turn ends: a statement for all of them is as exact as one for each. */
import type { FetchedWork, FusedAck } from "@duroxide-ts/core/stores";
import {
  ack,
  activity,
  createInstance,
  fetchWork,
  mustFetch,
  mustFetchWork,
  raised,
  scheduled,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect } from "vitest";
import { type Fixture, inMemory, onFile } from "./support/fixture.ts";

const ROWS = "SELECT activity_id, attempt_count, due_at FROM worker_queue ORDER BY id";

/** An instance with two activities, and the tag of its history. */
async function scheduledTwo(store: Fixture): Promise<string> {
  await createInstance(store, "i");
  await store.provider.enqueueForOrchestrator(raised("i", "poke"));
  const { historyTag } = await ack(store, await mustFetch(store), {
    historyDelta: [scheduled("i", 2), scheduled("i", 3)],
    workerItems: [activity("i", 2), activity("i", 3)],
  });
  return historyTag ?? "";
}

/** The works of fetches that one search serves, whose locks last as long as given. */
async function fetchedTogether(store: Fixture, ...lockTimeoutsMs: number[]): Promise<FetchedWork[]> {
  const fetches = lockTimeoutsMs.map((lockTimeoutMs) => fetchWork(store, { lockTimeoutMs }));
  return (await Promise.all(fetches)).flatMap((work) => work ?? []);
}

function ended(historyTag: string, activityTokens: readonly string[]): FusedAck {
  return {
    instanceId: "i",
    historyTag,
    activityTokens,
    executionId: 1,
    historyDelta: [scheduled("i", 4)],
    workerItems: [activity("i", 4)],
    orchestratorItems: [],
    cancelledActivities: [],
    metadata: {},
  };
}

onFile("each has the attempt and the end of its own lock", async (store) => {
  await scheduledTwo(store);
  const works = await fetchedTogether(store, 1_000, 5_000);
  const nowMs = store.clock.now();
  expect(works).toMatchObject([
    { attemptCount: 1, lockedUntilMs: nowMs + 1_000 },
    { attemptCount: 1, lockedUntilMs: nowMs + 5_000 },
  ]);
  expect(store.openRaw().prepare(ROWS).all()).toEqual([
    { activity_id: 2, attempt_count: 1, due_at: nowMs + 1_000 },
    { activity_id: 3, attempt_count: 1, due_at: nowMs + 5_000 },
  ]);
});

inMemory("the token of one is not that of another, and not that of its next lock", async (store) => {
  await scheduledTwo(store);
  const [first, second] = (await fetchedTogether(store, 1_000, 1_000)).map(({ lockToken }) => lockToken);
  await store.provider.ackWorkItem(first ?? "");
  await store.clock.advance(1_000);
  const again = await mustFetchWork(store);
  expect(again.attemptCount).toBe(2);
  for (const token of [first, second])
    await expect(store.provider.ackWorkItem(token ?? "")).rejects.toMatchObject({ code: "lock-lost" });
  await store.provider.ackWorkItem(again.lockToken);
});

onFile("none of a turn ends where one lock is lost, or is that of another instance", async (store) => {
  const tag = await scheduledTwo(store);
  await store.provider.enqueueForWorker(activity("other", 9));
  const works = await fetchedTogether(store, 1_000, 5_000, 5_000);
  const [short = "", long = "", strange = ""] = works.map(({ lockToken }) => lockToken);
  const refused = { code: "lock-lost" };
  await expect(store.provider.ackFusedTurn(ended(tag, [short, long, strange]))).rejects.toMatchObject(
    refused,
  );
  await store.clock.advance(1_000);
  await expect(store.provider.ackFusedTurn(ended(tag, [long, short]))).rejects.toMatchObject(refused);
  expect(store.openRaw().prepare(ROWS).all()).toHaveLength(3);
  const again = await mustFetchWork(store);
  const outcome = await store.provider.ackFusedTurn(ended(tag, [long, again.lockToken]));
  expect(outcome.kind).toBe("committed");
  expect(store.openRaw().prepare(ROWS).all()).toMatchObject([{ activity_id: 9 }, { activity_id: 4 }]);
});
