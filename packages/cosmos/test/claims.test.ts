/**
 * Locks that a commit takes in passing for fetches that wait (docs/decisions/cosmos-turns.md): fewer
 * requests, and otherwise the same as if each fetch had taken its lock by itself.
 */
import type { FetchedOrchestration, FetchedWork, FetchWorkOptions } from "@duroxide-ts/core/stores";
import {
  activity,
  completion,
  createInstance,
  fetchOrchestration,
  fetchWork,
  given,
  raised,
  semver,
  versions,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { allDocuments } from "./invariants/documents.ts";
import { commitOf, outcomeOf } from "./support/program.ts";
import { LOCK_MS, START_MS } from "./support/stage.ts";
import {
  begin,
  carryOut,
  commit,
  fetchPlanned,
  finishWork,
  mustWork,
  settle,
  work,
} from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";
import { expectSettled } from "./support/waiting-fetch.ts";

const stage = useStage("claims", () => begin(stage, "a"));

const ONE = { activities: [{ label: "x" }] };
const WAIT_MS = 60_000;

/** A fetch that has found nothing and waits now. */
async function waiting<Result>(fetch: Promise<Result>): Promise<{ readonly fetch: Promise<Result> }> {
  await stage.trap.idle();
  return { fetch };
}

function waitForWork(
  more: Partial<FetchWorkOptions> = {},
): Promise<{ fetch: Promise<FetchedWork | undefined> }> {
  return waiting(fetchWork(stage, { pollTimeoutMs: WAIT_MS, ...more }));
}

function waitForTurn(
  more: Parameters<typeof fetchOrchestration>[1] = {},
): Promise<{ fetch: Promise<FetchedOrchestration | undefined> }> {
  return waiting(fetchOrchestration(stage, { pollTimeoutMs: WAIT_MS, ...more }));
}

/** Returns the requests that are made while something happens. */
async function requestsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  stage.trap.set(undefined);
  await act();
  return [...stage.trap.labels];
}

describe("an activity", () => {
  it("is written with the lock of a worker that waits", async () => {
    const planned = await fetchPlanned(stage, "a", ONE);
    const { fetch } = await waitForWork();
    const requests = await requestsOf(() => commit(stage, planned));
    expect(requests).toHaveLength(1);
    const fetched = given(await fetch, "an activity");
    expect(fetched).toMatchObject({ attemptCount: 1, item: { instance: "a" }, orchestration: {} });
    expect(stage.trap.labels).toHaveLength(1);
    expect(await work(stage, "other")).toBeUndefined();
    await finishWork(stage, fetched);
    await expectSettled(stage);
  });

  it("goes to as many workers as wait; the others are left in the queue", async () => {
    const planned = await fetchPlanned(stage, "a", {
      activities: ["x", "y", "z"].map((label) => ({ label })),
    });
    const [first, second] = [await waitForWork(), await waitForWork()];
    await commit(stage, planned);
    const fetched = [await first.fetch, await second.fetch].map((each) => given(each, "an activity"));
    const labels = fetched.map(
      (each) => JSON.parse(outcomeOf(each).kind === "ActivityCompleted" ? each.item.input : "").label,
    );
    expect(labels.sort()).toEqual(["x", "y"]);
    expect((await mustWork(stage)).attemptCount).toBe(1);
  });

  it("is locked for the worker that accepts its tag, however long others wait", async () => {
    const planned = await fetchPlanned(stage, "a", ONE);
    const stop = new AbortController();
    const other = await waitForWork({ tagFilter: { kind: "tags", tags: ["gpu"] }, signal: stop.signal });
    const suited = await waitForWork();
    await commit(stage, planned);
    expect(await suited.fetch).toBeDefined();
    stop.abort();
    expect(await other.fetch).toBeUndefined();
  });

  it("of a session is left to a fetch, which claims the session first", async () => {
    const planned = await fetchPlanned(stage, "a", { activities: [{ label: "x", session: "s" }] });
    const session = { ownerId: "first", lockTimeoutMs: LOCK_MS };
    const { fetch } = await waitForWork({ session });
    await commit(stage, planned);
    expect(await fetch).toMatchObject({ attemptCount: 1, item: { session_id: "s" } });
    const owners = (await allDocuments(stage.raw)).filter(({ type }) => type === "session_owner");
    expect(owners).toMatchObject([{ ownerId: "first" }]);
  });

  // fetch-work-item.FW2
  it("of a session goes to the worker that has it, whichever worker looks", async () => {
    const label = (name: string) => ({ label: name, session: "s" });
    await carryOut(stage, "a", { activities: [label("x")] });
    await finishWork(stage, given(await work(stage, "second"), "an activity"));
    const other = { ...stage, ...(await stage.openAnother()) };
    const session = (ownerId: string) => ({ session: { ownerId, lockTimeoutMs: LOCK_MS } });
    const stop = new AbortController();
    const first = await waitForWork({ ...session("first"), signal: stop.signal });
    const second = await waitForWork(session("second"));
    await carryOut(other, "a", { activities: [label("y")] });
    await stage.clock.advance(1_000);
    expect(await second.fetch).toMatchObject({ attemptCount: 1 });
    stop.abort();
    expect(await first.fetch).toBeUndefined();
  });

  it("is given back, as if it was never fetched, where its worker was called off meanwhile", async () => {
    const planned = await fetchPlanned(stage, "a", ONE);
    const stop = new AbortController();
    const { fetch } = await waitForWork({ signal: stop.signal });
    stage.trap.meanwhile(/Create worker_queue/, async () => stop.abort());
    await commit(stage, planned);
    expect(await fetch).toBeUndefined();
    expect((await mustWork(stage)).attemptCount).toBe(1);
  });

  it("is given back in the same way where its worker was called off while it locked it itself", async () => {
    await carryOut(stage, "a", ONE);
    const stop = new AbortController();
    stage.trap.meanwhile(/Replace worker_queue/, async () => stop.abort());
    expect(await fetchWork(stage, { signal: stop.signal })).toBeUndefined();
    expect((await mustWork({ ...stage, ...(await stage.openAnother()) })).attemptCount).toBe(1);
  });

  it("is free for others at once where that happened to the lock of its instance", async () => {
    await stage.provider.enqueueForOrchestrator(raised("a", "poke"));
    const stop = new AbortController();
    stage.trap.meanwhile(/^batch .*instance/, async () => stop.abort());
    expect(await fetchOrchestration(stage, { signal: stop.signal })).toBeUndefined();
    const other = { ...stage, ...(await stage.openAnother()) };
    expect(await fetchOrchestration(other)).toMatchObject({ attemptCount: 1 });
  });

  it("waits for its worker where the worker's time ends meanwhile", async () => {
    const planned = await fetchPlanned(stage, "a", ONE);
    const { fetch } = await waitForWork({ pollTimeoutMs: 5 });
    stage.trap.meanwhile(/Create worker_queue/, () => stage.clock.advance(5));
    await commit(stage, planned);
    expect(await fetch).toMatchObject({ attemptCount: 1 });
  });

  it("is fetched again, and counted, where its worker is not heard of", async () => {
    const planned = await fetchPlanned(stage, "a", ONE);
    const { fetch } = await waitForWork();
    await commit(stage, planned);
    await fetch;
    const other = { ...stage, ...(await stage.openAnother()) };
    await stage.clock.advance(LOCK_MS);
    expect((await mustWork(other)).attemptCount).toBe(2);
  });

  it("is handed to its worker although the answer to the commit was lost", async () => {
    const planned = await fetchPlanned(stage, "a", ONE);
    const { fetch } = await waitForWork();
    stage.trap.loseAnswerOf(/Create worker_queue/, async () => undefined);
    await commit(stage, planned);
    await finishWork(stage, given(await fetch, "an activity"));
    await expectSettled(stage);
  });

  it("is not locked by a commit that is refused", async () => {
    const planned = await fetchPlanned(stage, "a", ONE);
    const stop = new AbortController();
    const { fetch } = await waitForWork({ signal: stop.signal });
    const other = await stage.openAnother();
    await other.provider.abandonOrchestrationItem(planned.lockToken);
    await expect(commit(stage, planned)).rejects.toMatchObject({ code: "lock-lost" });
    stop.abort();
    expect(await fetch).toBeUndefined();
    await settle({ ...stage, ...other });
    expect((await mustWork(stage)).attemptCount).toBe(1);
  });
});

describe("the activities of a commit that is staged", () => {
  const MANY = { activities: Array.from({ length: 120 }, (_, index) => ({ label: String(index) })) };

  it("are locked for workers that wait; the others are known to the process that wrote them", async () => {
    const planned = await fetchPlanned(stage, "a", MANY);
    const { fetch } = await waitForWork();
    await commit(stage, planned);
    const before = stage.trap.labels.length;
    expect(await fetch).toMatchObject({ attemptCount: 1 });
    expect(stage.trap.labels).toHaveLength(before);
    const requests = await requestsOf(async () => (await waitForWork()).fetch);
    expect(requests).toHaveLength(1);
  });

  it("are found by a worker whose commit was finished by another one", async () => {
    const planned = await fetchPlanned(stage, "a", MANY);
    const { fetch } = await waitForWork();
    const { provider } = await stage.openAnother();
    stage.trap.meanwhile(/commit_intent/, () => provider.getInstanceStatus("a"));
    await commit(stage, planned);
    await finishWork(stage, given(await fetch, "an activity"));
    expect((await mustWork(stage)).attemptCount).toBe(1);
  });
});

describe("the turn after an activity", () => {
  it("is locked by the commit of the outcome, where a worker waits for a turn", async () => {
    await carryOut(stage, "a", ONE);
    const running = await mustWork(stage);
    const { fetch } = await waitForTurn({ heldHistory: () => undefined });
    const requests = await requestsOf(() => finishWork(stage, running));
    expect(requests).toHaveLength(1);
    const fetched = given(await fetch, "a turn");
    expect(fetched).toMatchObject({ attemptCount: 1, item: { messages: [outcomeOf(running)] } });
    await commit(stage, fetched);
    await expectSettled(stage);
  });

  it("is not locked for a worker that does not support its version", async () => {
    const metadata = { pinnedVersion: semver("0.1.32") };
    await createInstance(stage, "p", { metadata, workerItems: [activity("p", 2)] });
    const fetched = await mustWork(stage);
    const stop = new AbortController();
    const supportedVersions = versions("9.0.0", "9.9.9");
    const { fetch } = await waitForTurn({ supportedVersions, signal: stop.signal });
    await stage.provider.ackWorkItem(fetched.lockToken, completion("p", 2, "done"));
    stop.abort();
    expect(await fetch).toBeUndefined();
    expect(await fetchOrchestration(stage)).toMatchObject({ attemptCount: 1 });
  });

  it("is looked for where an event may be before the outcome", async () => {
    await carryOut(stage, "a", ONE);
    const running = await mustWork(stage);
    const { provider } = await stage.openAnother();
    const event = raised("a", "first");
    await provider.enqueueForOrchestrator(event);
    await stage.provider.enqueueForOrchestrator(raised("a", "second"));
    await finishWork(stage, running);
    const fetched = given(await fetchOrchestration(stage), "a turn");
    expect(fetched.item.messages).toEqual([event, raised("a", "second"), outcomeOf(running)]);
  });

  // claim-turn.C2, lock-attempts.LA1, try-each.T1
  it("is tried by no other fetch while the answer to the outcome is under way", async () => {
    await carryOut(stage, "a", ONE);
    const running = await mustWork(stage);
    const { fetch } = await waitForTurn({ heldHistory: () => undefined });
    const others: Promise<FetchedOrchestration | undefined>[] = [];
    let requests: readonly string[] = [];
    stage.trap.meanwhile(/Create orch_queue/, async () => {
      stage.trap.set(undefined);
      others.push(fetchOrchestration(stage));
      await stage.clock.settle();
      await stage.trap.idle();
      requests = stage.trap.labels;
    });
    await finishWork(stage, running);
    expect(requests).toEqual(["query orch_queue"]);
    expect(await fetch).toMatchObject({ attemptCount: 1, item: { messages: [outcomeOf(running)] } });
    expect(await Promise.all(others)).toEqual([undefined]);
  });

  it("does not keep the outcome, where another worker wrote the instance", async () => {
    await carryOut(stage, "a", { activities: [{ label: "x" }, { label: "y" }] });
    const [x, y] = [await mustWork(stage), await mustWork(stage)];
    const other = { ...stage, ...(await stage.openAnother()) };
    await finishWork(other, y);
    await settle(other);
    const { fetch } = await waitForTurn();
    await finishWork(stage, x);
    expect(await fetch).toMatchObject({ attemptCount: 1, item: { messages: [outcomeOf(x)] } });
  });

  it("begins once although the answer to the outcome was lost", async () => {
    await carryOut(stage, "a", ONE);
    const running = await mustWork(stage);
    const { fetch } = await waitForTurn();
    stage.trap.loseAnswerOf(/Create orch_queue/, async () => undefined);
    await finishWork(stage, running);
    await commit(stage, given(await fetch, "a turn"));
    await expectSettled(stage);
  });

  // claim-turn.C4
  it("is given back, as if it was never fetched, where the fetch was called off meanwhile", async () => {
    await carryOut(stage, "a", ONE);
    const running = await mustWork(stage);
    const stop = new AbortController();
    const { fetch } = await waitForTurn({ signal: stop.signal });
    stage.trap.meanwhile(/Create orch_queue/, async () => stop.abort());
    await finishWork(stage, running);
    expect(await fetch).toBeUndefined();
    expect(await fetchOrchestration(stage)).toMatchObject({ attemptCount: 1 });
  });

  it("is taken over, and counted, where its holder is not heard of", async () => {
    await carryOut(stage, "a", ONE);
    const running = await mustWork(stage);
    const { fetch } = await waitForTurn();
    await finishWork(stage, running);
    const late = given(await fetch, "a turn");
    const other = { ...stage, ...(await stage.openAnother()) };
    expect(await fetchOrchestration(other)).toBeUndefined();
    await stage.clock.advance(LOCK_MS);
    const fetched = given(await fetchOrchestration(other), "a turn");
    expect(fetched.attemptCount).toBe(2);
    await commit(other, fetched);
    await expect(commit(stage, late)).rejects.toMatchObject({ code: "lock-lost" });
  });
});

describe("the turn after a turn", () => {
  it("is locked by its commit, where messages are left", async () => {
    await carryOut(stage, "a", { activities: [{ label: "x" }, { label: "y" }] });
    const [x, y] = [await mustWork(stage), await mustWork(stage)];
    await finishWork(stage, x);
    const first = given(await fetchOrchestration(stage), "a turn");
    await finishWork(stage, y);
    const { fetch } = await waitForTurn();
    const requests = await requestsOf(() => commit(stage, first));
    expect(requests).toHaveLength(1);
    expect(await fetch).toMatchObject({ attemptCount: 1, item: { messages: [outcomeOf(y)] } });
  });

  // claim-turn.C3
  it("is not locked by its commit, where an event is left: another process may have stored an earlier one", async () => {
    await carryOut(stage, "a", ONE);
    await finishWork(stage, await mustWork(stage));
    const first = given(await fetchOrchestration(stage), "a turn");
    const { provider } = await stage.openAnother();
    await provider.enqueueForOrchestrator(raised("a", "early"));
    await stage.provider.enqueueForOrchestrator(raised("a", "late"));
    const { fetch } = await waitForTurn();
    await commit(stage, first);
    const fetched = given(await fetch, "a turn");
    expect(fetched.item.messages).toEqual([raised("a", "early"), raised("a", "late")]);
  });

  it("is locked by its commit, where it wrote a message to itself", async () => {
    const planned = await fetchPlanned(stage, "a", { continueAsNew: true });
    const { fetch } = await waitForTurn();
    const requests = await requestsOf(() => commit(stage, planned));
    expect(requests).toHaveLength(1);
    const fetched = given(await fetch, "a turn");
    expect(fetched).toMatchObject({ attemptCount: 1, item: { messages: [{ kind: "ContinueAsNew" }] } });
    await commit(stage, fetched);
    await expectSettled(stage);
  });

  it("is known to the holder of the history, which need not be read then", async () => {
    const planned = await fetchPlanned(stage, "a", { timer: true });
    let tag: string | undefined;
    const { fetch } = await waitForTurn({ heldHistory: () => tag });
    const { historyTag } = await stage.provider.ackOrchestrationItem(commitOf(planned, START_MS));
    tag = historyTag;
    expect(await fetch).toMatchObject({ item: { historyOmitted: true, messages: [{ kind: "TimerFired" }] } });
  });

  it("begins once although the answer to the commit was lost", async () => {
    const planned = await fetchPlanned(stage, "a", { timer: true });
    const { fetch } = await waitForTurn();
    stage.trap.loseAnswerOf(/Create orch_queue/, async () => undefined);
    await commit(stage, planned);
    await commit(stage, given(await fetch, "a turn"));
    await expectSettled(stage);
  });
});

describe("the turn of a parent", () => {
  it("is locked by the delivery of its child's outcome", async () => {
    await carryOut(stage, "a", { children: [{ id: "c" }] });
    const child = given(await fetchOrchestration(stage), "the child's turn");
    const { fetch } = await waitForTurn();
    const requests = await requestsOf(() => commit(stage, child));
    const writes = requests.filter((label) => label.startsWith('batch ["a"]'));
    expect(writes).toEqual(['batch ["a"] Create receipt, Create orch_queue, Replace instance']);
    expect(await fetch).toMatchObject({ attemptCount: 1, item: { instanceId: "a" } });
  });

  it("is not locked for a worker that has its history in memory, because that needs no lock (claim-turn.C5)", async () => {
    const planned = await fetchPlanned(stage, "a", { children: [{ id: "c" }] });
    const { historyTag } = await stage.provider.ackOrchestrationItem(commitOf(planned, START_MS));
    const child = given(await fetchOrchestration(stage), "the child's turn");
    const { fetch } = await waitForTurn({ heldHistory: () => historyTag });
    const requests = await requestsOf(() => commit(stage, child));
    const writes = requests.filter((label) => label.startsWith('batch ["a"]'));
    expect(writes).toEqual(['batch ["a"] Create receipt, Create orch_queue']);
    expect(await fetch).toMatchObject({ item: { instanceId: "a", historyOmitted: true } });
  });
});
