/** Turns that are handed out without a write of the store (src/leases/remembered-turn.ts). */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { fetchOrchestration, mustFetch, raised } from "@duroxide-ts/provider-tests/building-blocks";
import { beforeEach, expect, it } from "vitest";
import { planned } from "../support/plan.ts";
import { LOCK_MS } from "../support/stage.ts";
import { useStage } from "../support/use-stage.ts";
import { expectSettled, requestsOf } from "../support/waiting-fetch.ts";
import { begun, commitWarm, fetchWarm, type Memory, WAIT_MS } from "../support/warm-turn.ts";

const LOCKED = 'batch ["a"] Replace instance';

let memory: Memory;
const stage = useStage("without-lock");

/** Instance "a" waits for a turn, and the process holds its history. */
beforeEach(async () => {
  memory = await begun(stage);
  await stage.provider.enqueueForOrchestrator(raised("a", "e"));
});

it("is read and committed: two requests", async () => {
  const requests = await requestsOf(stage, async () => commitWarm(stage, await fetchWarm(stage, memory)));
  expect(requests.slice(0, 2)).toEqual([
    'query ["a"] instance, orch_queue',
    'batch ["a"] Replace instance, Delete, Create history',
  ]);
  await expectSettled(stage);
});

it("remembered-turn.U1: a commit of more than one batch is decided under the ETag, too", async () => {
  await stage.provider.enqueueForOrchestrator(planned("a", { keys: 110 }));
  const requests = await requestsOf(stage, async () => commitWarm(stage, await fetchWarm(stage, memory)));
  expect(requests).not.toContain(LOCKED);
  await expectSettled(stage);
});

it("remembered-turn.U1: a commit whose answer was lost is done once", async () => {
  stage.trap.loseAnswerOf(/Create history/, async () => {});
  await commitWarm(stage, await fetchWarm(stage, memory));
  await expectSettled(stage);
  const history = await stage.provider.readHistory("a");
  expect(history.filter(({ type }) => type === "ExternalEvent")).toHaveLength(1);
});

it("remembered-turn.U2: a turn is locked for a caller that holds an older history, or does not wait", async () => {
  for (const options of [
    { pollTimeoutMs: WAIT_MS, heldHistory: () => "older" },
    { heldHistory: () => memory.tag },
  ]) {
    let fetched: FetchedOrchestration | undefined;
    const requests = await requestsOf(stage, async () => {
      fetched = await fetchOrchestration(stage, options);
    });
    expect(requests).toContain(LOCKED);
    await stage.provider.abandonOrchestrationItem(fetched?.lockToken ?? "", { ignoreAttempt: true });
  }
});

it("remembered-turn.U2: the turn of a process that ended is found by another process at once", async () => {
  const other = { ...stage, ...(await stage.openAnother()) };
  await fetchWarm(stage, memory);
  const again = await mustFetch(other);
  expect([again.item.messages.length, again.attemptCount]).toEqual([1, 1]);
});

it("remembered-turn.U2: only the attempt without a lock is not counted", async () => {
  await fetchWarm(stage, memory);
  for (const attempt of [1, 2, 3]) {
    const next = { ...stage, ...(await stage.openAnother()) };
    expect((await mustFetch(next)).attemptCount).toBe(attempt);
    await stage.clock.advance(LOCK_MS + 1);
  }
});

it("remembered-turn.U3: a turn that was given back is locked the next time, and its attempts are counted", async () => {
  const first = await fetchWarm(stage, memory);
  await stage.provider.abandonOrchestrationItem(first.lockToken);
  let second: FetchedOrchestration | undefined;
  const requests = await requestsOf(stage, async () => {
    second = await fetchWarm(stage, memory);
  });
  expect([first.attemptCount, second?.attemptCount]).toEqual([1, 2]);
  expect(requests).toContain(LOCKED);
});

it("remembered-turn.U3: a turn whose time is over is locked the next time, and its attempts are counted", async () => {
  const first = await fetchWarm(stage, memory);
  await stage.clock.advance(LOCK_MS + 1);
  const second = await fetchWarm(stage, memory);
  expect([first.attemptCount, second.attemptCount]).toEqual([1, 2]);
  await expect(stage.provider.abandonOrchestrationItem(first.lockToken)).rejects.toMatchObject({
    code: "lock-lost",
  });
  await commitWarm(stage, second);
  await expectSettled(stage);
});

it("remembered-turn.U3: a blocked turn, and one that ran alone, is locked", async () => {
  const blocked = { reason: "nondeterminism", detail: "event 4 differs" } as const;
  const { lockToken } = await fetchWarm(stage, memory);
  await stage.provider.abandonOrchestrationItem(lockToken, { ignoreAttempt: true, blocked });
  expect(await requestsOf(stage, () => fetchWarm(stage, memory))).toContain(LOCKED);
  await stage.clock.advance(LOCK_MS + 1);
  const alone = await fetchWarm(stage, memory);
  await stage.provider.renewOrchestrationItemLock(alone.lockToken, LOCK_MS, { alone: true });
  await stage.provider.abandonOrchestrationItem(alone.lockToken, { ignoreAttempt: true });
  let fetched: FetchedOrchestration | undefined;
  const requests = await requestsOf(stage, async () => {
    fetched = await fetchWarm(stage, memory);
  });
  expect(requests).toContain(LOCKED);
  expect(fetched?.loneRuns).toBe(1);
});

it("remembered-turn.U4: the other fetches of the process pass over the instance, and so does a fused turn", async () => {
  const fetched = await fetchWarm(stage, memory);
  expect(await fetchOrchestration(stage, { heldHistory: () => memory.tag })).toBeUndefined();
  expect(await fetchOrchestration(stage)).toBeUndefined();
  const outcome = await stage.provider
    .ackFusedTurn({
      instanceId: "a",
      historyTag: memory.tag,
      activityTokens: [],
      executionId: 1,
      historyDelta: [],
      workerItems: [],
      orchestratorItems: [],
      cancelledActivities: [],
      metadata: {},
    })
    .catch((error: unknown) => error);
  expect(outcome).not.toMatchObject({ kind: "committed" });
  await commitWarm(stage, fetched);
  await expectSettled(stage);
});

it("remembered-turn.U4: a turn is over at the end of its time", async () => {
  const fetched = await fetchWarm(stage, memory);
  await stage.clock.advance(LOCK_MS + 1);
  await expect(commitWarm(stage, fetched)).rejects.toMatchObject({ code: "lock-lost" });
  expect(await mustFetch(stage)).toMatchObject({ item: { instanceId: "a" }, attemptCount: 2 });
});

it("remembered-turn.U5: a renewal locks the instance for all processes", async () => {
  const other = { ...stage, ...(await stage.openAnother()) };
  const fetched = await fetchWarm(stage, memory);
  await stage.provider.renewOrchestrationItemLock(fetched.lockToken, LOCK_MS);
  expect(await fetchOrchestration(other)).toBeUndefined();
  // Any process that has the token may use it now.
  await commitWarm(other, fetched);
  await expectSettled(stage);
});

it("remembered-turn.U5: a renewal whose answer was lost locks the instance, and the turn is committed", async () => {
  const fetched = await fetchWarm(stage, memory);
  stage.trap.loseAnswerOf(/Replace instance/, async () => {});
  await stage.provider.renewOrchestrationItemLock(fetched.lockToken, LOCK_MS);
  await commitWarm(stage, fetched);
  await expectSettled(stage);
});
