/**
 * Starts that are stored together with their first turn (src/memory/unstored-start.ts, docs/decisions/cosmos-turns.md).
 */
import type { FetchedOrchestration, OrchestratorItem } from "@duroxide-ts/core/stores";
import {
  fetchOrchestration,
  given,
  mustFetch,
  raised,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { beforeEach, expect, it } from "vitest";
import type { Plan } from "../support/plan.ts";
import { LOCK_MS, type Stage } from "../support/stage.ts";
import { begin, commit } from "../support/steps.ts";
import { useStage } from "../support/use-stage.ts";
import { expectSettled, requestsOf, waiting } from "../support/waiting-fetch.ts";
import { WAIT_MS } from "../support/warm-turn.ts";

const READ = 'query ["a"] instance, orch_queue';
const TOGETHER = 'batch ["a"] Create instance, Create history';
const LOCKED = 'batch ["a"] Create orch_queue, Create instance';
const ALONE = 'batch ["a"] Create orch_queue';

const stage = useStage("start-with-turn");

/** The process has committed a first turn of the orchestration. */
beforeEach(() => begin(stage, "before"));

/** Makes a start with the name under which the program commits first turns. */
function startOf(instanceId: string, plan: Plan = {}): OrchestratorItem {
  return startItem(instanceId, { orchestration: "Planned", input: JSON.stringify(plan) });
}

it("is one read and one batch, without a message", async () => {
  const [fetch] = await waiting(stage);
  const requests = await requestsOf(stage, async () => {
    const started = stage.provider.enqueueForOrchestrator(startOf("a"));
    const fetched = given(await fetch, "no turn");
    expect(fetched).toMatchObject({ attemptCount: 1, item: { instanceId: "a", history: [] } });
    await commit(stage, fetched);
    await started;
  });
  expect(requests).toEqual([READ, TOGETHER]);
  await expectSettled(stage);
  expect(await stage.provider.readHistory("a")).toHaveLength(1);
});

it("unstored-start.T1: a start whose commit lost its answer is stored once", async () => {
  const [fetch] = await waiting(stage);
  stage.trap.loseAnswerOf(/Create history/, async () => {});
  const requests = await requestsOf(stage, async () => {
    const started = stage.provider.enqueueForOrchestrator(startOf("a"));
    await commit(stage, given(await fetch, "no turn"));
    await started;
  });
  expect(requests.filter((label) => label.includes("orch_queue"))).toEqual([READ]);
  await expectSettled(stage);
  expect(await stage.provider.readHistory("a")).toHaveLength(1);
});

it("unstored-start.T2: a start that another process was faster with is stored as a message, and the turn is refused", async () => {
  const other = { ...stage, ...(await stage.openAnother()) };
  const [fetch] = await waiting(stage);
  stage.trap.meanwhile(/query \["a"\]/, () => begin(other, "a"));
  const started = stage.provider.enqueueForOrchestrator(startOf("a"));
  const fetched = given(await fetch, "no turn");
  await expect(commit(stage, fetched)).rejects.toMatchObject({ code: "lock-lost" });
  await started;
  await expectSettled(stage);
  const history = await stage.provider.readHistory("a");
  expect(history.filter(({ type }) => type === "OrchestrationStarted")).toHaveLength(1);
});

it("unstored-start.T2: a start whose turn is not begun is stored as a message: what came before it is taken along", async () => {
  const other = await stage.openAnother();
  await other.provider.enqueueForOrchestrator(raised("a", "early"));
  await stage.clock.advance(1);
  const [fetch] = await waiting(stage);
  await stage.provider.enqueueForOrchestrator(startOf("a"));
  const fetched = given(await fetch, "no turn");
  expect(fetched.item.messages.map(({ kind }) => kind)).toEqual(["ExternalRaised", "StartOrchestration"]);
  await commit(stage, fetched);
  await expectSettled(stage);
});

it("unstored-start.T2: a start whose fetch is called off is stored as a message", async () => {
  const controller = new AbortController();
  const fetch = fetchOrchestration(stage, { pollTimeoutMs: WAIT_MS, signal: controller.signal });
  await stage.trap.idle();
  stage.trap.loseAnswerOf(/query \["a"\]/, async () => controller.abort());
  const requests = await requestsOf(stage, () => stage.provider.enqueueForOrchestrator(startOf("a")));
  expect(requests).toEqual([READ, ALONE]);
  expect(await fetch).toBeUndefined();
  await expectSettled(stage);
});

it("unstored-start.T3: a turn that takes longer is locked, and goes on", async () => {
  const [fetch] = await waiting(stage);
  let fetched: FetchedOrchestration | undefined;
  const requests = await requestsOf(stage, async () => {
    await stage.provider.enqueueForOrchestrator(startOf("a"));
    fetched = await fetch;
  });
  expect(requests).toEqual([READ, LOCKED]);
  const other = await stage.openAnother();
  expect(await fetchOrchestration(other)).toBeUndefined();
  await commit(stage, given(fetched, "no turn"));
  await expectSettled(stage);
  expect(await stage.provider.readHistory("a")).toHaveLength(1);
});

it("unstored-start.T3: a turn that is renewed is locked before, and goes on", async () => {
  const [fetch] = await waiting(stage);
  const started = stage.provider.enqueueForOrchestrator(startOf("a"));
  const fetched = given(await fetch, "no turn");
  await stage.provider.renewOrchestrationItemLock(fetched.lockToken, 2 * LOCK_MS);
  await started;
  await stage.clock.advance(LOCK_MS + 1);
  expect(await fetchOrchestration(stage)).toBeUndefined();
  await commit(stage, fetched);
  await expectSettled(stage);
});

it("unstored-start.T3: a turn that is given back is stored before, and its attempt is counted", async () => {
  const [fetch] = await waiting(stage);
  const started = stage.provider.enqueueForOrchestrator(startOf("a"));
  const { lockToken } = given(await fetch, "no turn");
  await stage.provider.abandonOrchestrationItem(lockToken, { delayMs: 1_000 });
  await started;
  await stage.clock.advance(1_001);
  const again = await mustFetch(stage);
  expect(again.attemptCount).toBe(2);
  await commit(stage, again);
  await expectSettled(stage);
});

it("unstored-start.T3: a commit that needs several batches has its start stored before", async () => {
  const [fetch] = await waiting(stage);
  const requests = await requestsOf(stage, async () => {
    const started = stage.provider.enqueueForOrchestrator(startOf("a", { keys: 110 }));
    await commit(stage, given(await fetch, "no turn"));
    await started;
  });
  expect(requests.slice(0, 2)).toEqual([READ, LOCKED]);
  await expectSettled(stage);
});

it("the first start of an orchestration in a process is stored before its turn, so that its attempt is counted", async () => {
  const other = await stage.openAnother();
  const [fetch] = await waiting(other as Pick<Stage, "provider" | "lockMs" | "trap">);
  other.trap.set(undefined);
  await other.provider.enqueueForOrchestrator(startOf("a"));
  expect(other.trap.labels).toContain(LOCKED);
  expect(await fetch).toMatchObject({ item: { instanceId: "a" } });
  await stage.clock.advance(LOCK_MS + 1);
  expect((await mustFetch(stage)).attemptCount).toBe(2);
});

it("a start with an id of its own, or for later, is stored at once", async () => {
  const [fetch] = await waiting(stage);
  await stage.provider.enqueueForOrchestrator(startOf("a"), 1_000);
  const requests = await requestsOf(stage, () =>
    stage.provider.enqueueForOrchestrator(startOf("a"), 0, { messageId: "m" }),
  );
  expect(requests[0]).toContain("Create orch_queue, Create receipt");
  expect(requests).not.toContain(ALONE);
  await commit(stage, given(await fetch, "no turn"));
});
