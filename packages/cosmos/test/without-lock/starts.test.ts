/**
 * Starts that lock their first turn in passing, where a fetch of the process waits (docs/decisions/cosmos-turns.md).
 */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import {
  fetchOrchestration,
  given,
  mustFetch,
  raised,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { planned } from "../support/plan.ts";
import { LOCK_MS } from "../support/stage.ts";
import { begin, commit, settle } from "../support/steps.ts";
import { useStage } from "../support/use-stage.ts";
import { expectSettled, requestsOf, waiting } from "../support/waiting-fetch.ts";
import { WAIT_MS } from "../support/warm-turn.ts";

const stage = useStage("starts-that-lock");

it("the start creates the instance locked, and its messages are read: two requests", async () => {
  const [fetch] = await waiting(stage);
  let fetched: FetchedOrchestration | undefined;
  const requests = await requestsOf(stage, async () => {
    await stage.provider.enqueueForOrchestrator(startItem("a"));
    fetched = await fetch;
  });
  expect(requests).toEqual([
    'batch ["a"] Create orch_queue, Create instance',
    'query ["a"] instance, orch_queue',
  ]);
  expect(fetched).toMatchObject({ attemptCount: 1, item: { instanceId: "a", history: [] } });
  await commit(stage, given(fetched, "no turn"));
  await expectSettled(stage);
});

it("a start with messages locks, too, and its messages are in the first turn", async () => {
  const [fetch] = await waiting(stage);
  const messages = [{ kind: "ExternalRaised", instance: "a", name: "e", data: "" }] as const;
  const requests = await requestsOf(stage, async () => {
    const outcome = await stage.provider.startInstance(startItem("a"), { ifExists: "reuse", messages });
    expect(outcome).toEqual({ kind: "stored", created: true });
    const fetched = given(await fetch, "no turn");
    expect(fetched.item.messages).toHaveLength(2);
    await commit(stage, fetched);
  });
  expect(requests).toHaveLength(3);
  await expectSettled(stage);
});

it("a start whose answer was lost has one first turn", async () => {
  const [fetch] = await waiting(stage);
  stage.trap.loseAnswerOf(/Create instance/, async () => {});
  await stage.provider.enqueueForOrchestrator(startItem("a"));
  await commit(stage, given(await fetch, "no turn"));
  await expectSettled(stage);
  expect(await stage.provider.readHistory("a")).toHaveLength(1);
});

it("a start for later, or without a fetch that waits, does not lock", async () => {
  expect(await requestsOf(stage, () => stage.provider.enqueueForOrchestrator(startItem("a")))).toEqual([
    'batch ["a"] Create orch_queue',
  ]);
  await settle(stage);
  const [fetch] = await waiting(stage);
  stage.trap.set(undefined);
  await stage.provider.enqueueForOrchestrator(startItem("b"), 1_000);
  expect(stage.trap.labels).toContain('batch ["b"] Create orch_queue');
  await stage.clock.advance(WAIT_MS);
  await fetch;
});

// claim-turn.C3
it("the fetch takes along what came before the start", async () => {
  const other = await stage.openAnother();
  await other.provider.enqueueForOrchestrator(planned("a", {}));
  await other.provider.enqueueForOrchestrator(raised("a", "early"));
  await stage.clock.advance(1);
  const [fetch] = await waiting(stage);
  await stage.provider.enqueueForOrchestrator(startItem("a"));
  const fetched = await fetch;
  expect(fetched?.item.messages.map(({ kind }) => kind)).toEqual([
    "ExternalRaised",
    "ExternalRaised",
    "StartOrchestration",
  ]);
  await commit(stage, given(fetched, "no turn"));
  await expectSettled(stage);
});

it("an earlier start of another name is left to a fetch that knows it", async () => {
  const other = await stage.openAnother();
  await other.provider.enqueueForOrchestrator(startItem("a"));
  await stage.clock.advance(1);
  const waits = fetchOrchestration(stage, { pollTimeoutMs: WAIT_MS, orchestrations: new Set(["B"]) });
  await stage.trap.idle();
  await stage.provider.enqueueForOrchestrator({ ...startItem("a"), orchestration: "B" });
  await stage.trap.idle();
  const fetched = await mustFetch(stage);
  expect(fetched.item.messages).toHaveLength(2);
  expect(fetched.attemptCount).toBe(1);
  await stage.clock.advance(WAIT_MS);
  await waits;
});

it("a start of an instance that is there is stored without the lock", async () => {
  const other = { ...stage, ...(await stage.openAnother()) };
  await begin(other, "a");
  const [fetch] = await waiting(stage);
  const requests = await requestsOf(stage, () => stage.provider.enqueueForOrchestrator(startItem("a")));
  expect(requests.slice(0, 2)).toEqual([
    'batch ["a"] Create orch_queue, Create instance',
    'batch ["a"] Create orch_queue',
  ]);
  expect(await fetch).toMatchObject({ item: { instanceId: "a" } });
});

it("the first turn of a process that ended is another's after its lock, and the attempt is counted", async () => {
  const other = await stage.openAnother();
  const [fetch] = await waiting(stage);
  await stage.provider.enqueueForOrchestrator(startItem("a"));
  await fetch;
  expect(await fetchOrchestration(other)).toBeUndefined();
  expect(await stage.provider.getInstanceStatus("a")).toBeUndefined();
  await stage.clock.advance(LOCK_MS + 1);
  expect(await mustFetch(other)).toMatchObject({ attemptCount: 2, item: { instanceId: "a" } });
});

it("a start whose id another orchestration has got meanwhile is withdrawn, and wakes no fetch", async () => {
  const other = { ...stage, ...(await stage.openAnother()) };
  await begin(other, "a");
  const [fetch] = await waiting(stage);
  const requests = await requestsOf(stage, async () => {
    const start = { ...startItem("a"), orchestration: "B" };
    expect(await stage.provider.enqueueForOrchestrator(start, 0, { ifTaken: "tell" })).toMatchObject({
      status: "Running",
    });
    await stage.trap.idle();
  });
  expect(requests).toEqual([
    'batch ["a"] Create orch_queue, Create instance',
    'batch ["a"] Create orch_queue',
    'GET docs ["a"]',
    'batch ["a"] Delete',
  ]);
  await stage.clock.advance(WAIT_MS);
  expect(await fetch).toBeUndefined();
  await expectSettled(stage);
});
