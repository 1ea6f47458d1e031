/**
 * remembered-turn.U1: a turn without a lock is refused whole where the instance was written since,
 * and its messages are found again.
 */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { fetchOrchestration, mustFetch, raised } from "@duroxide-ts/provider-tests/building-blocks";
import { beforeEach, describe, expect, it } from "vitest";
import { allDocuments, type Document } from "../invariants/documents.ts";
import { violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";
import { planned } from "../support/plan.ts";
import { LOCK_MS } from "../support/stage.ts";
import { commit, settle } from "../support/steps.ts";
import { useStage } from "../support/use-stage.ts";
import { begun, fetchWarm, type Memory, type Performer, WAIT_MS } from "../support/warm-turn.ts";

const LOST = { code: "lock-lost" };
const RUNNING = { executionId: 1, status: "Running" } as const;

let other: Performer;
let memory: Memory;
const stage = useStage("refused", async () => {
  other = { ...stage, ...(await stage.openAnother()) };
});

/** Instance "a" waits for a turn, and the process holds its history. */
beforeEach(async () => {
  memory = await begun(stage);
  await stage.provider.enqueueForOrchestrator(raised("a", "e"));
});

async function stored(): Promise<readonly Document[]> {
  return (await allDocuments(stage.raw)).filter(({ instanceId }) => instanceId === "a");
}

/** The commit, the renewal and the return of the turn: each is refused, and nothing of it is stored. */
async function expectLost(fetched: FetchedOrchestration): Promise<void> {
  const { provider } = stage;
  const before = await stored();
  await expect(commit(stage, fetched)).rejects.toMatchObject(LOST);
  await expect(provider.renewOrchestrationItemLock(fetched.lockToken, LOCK_MS)).rejects.toMatchObject(LOST);
  await expect(provider.abandonOrchestrationItem(fetched.lockToken)).rejects.toMatchObject(LOST);
  expect(await stored()).toEqual(before);
}

async function expectSettled(): Promise<void> {
  await settle(stage);
  await settle(other);
  const documents = await allDocuments(stage.raw);
  expect([...violationsIn(documents), ...leftoversIn(documents)]).toEqual([]);
  const history = await stage.provider.readHistory("a");
  expect(history.filter(({ type }) => type === "ExternalEvent")).toHaveLength(1);
}

describe("a turn without a lock is lost where", () => {
  it("another process has locked the instance since", async () => {
    const ours = await fetchWarm(stage, memory);
    const theirs = await mustFetch(other);
    await expectLost(ours);
    await commit(other, theirs);
    await expectSettled();
  });

  it("another process has committed a turn since", async () => {
    const ours = await fetchWarm(stage, memory);
    await commit(other, await mustFetch(other));
    await expectLost(ours);
    await expectSettled();
  });

  it("another process has locked the instance and given it back since", async () => {
    const ours = await fetchWarm(stage, memory);
    const { lockToken } = await mustFetch(other);
    await other.provider.abandonOrchestrationItem(lockToken, { ignoreAttempt: true });
    await expectLost(ours);
    await expectSettled();
  });

  it("the instance was changed by hand since", async () => {
    const ours = await fetchWarm(stage, memory);
    const turn = {
      executionId: 1,
      historyDelta: [],
      workerItems: [],
      orchestratorItems: [],
      metadata: {},
      cancelledActivities: [],
    };
    const revision = { instanceId: "a", expected: RUNNING, turn };
    expect(await other.provider.admin.reviseInstance(revision)).toEqual({ kind: "revised" });
    await expectLost(ours);
    await expectSettled();
  });

  it("the instance was suspended since; its message waits", async () => {
    const ours = await fetchWarm(stage, memory);
    const suspended = { sinceMs: 0, reason: "the bank is down", by: "ada" };
    await other.provider.admin.reviseInstance({ instanceId: "a", expected: RUNNING, suspended });
    await expectLost(ours);
    expect(await fetchOrchestration(other)).toBeUndefined();
    await other.provider.admin.reviseInstance({ instanceId: "a", expected: RUNNING, suspended: null });
    await expectSettled();
  });

  it("a Rust process has locked and unlocked the instance since, which drops the notes", async () => {
    const ours = await fetchWarm(stage, memory);
    const { resource } = await stage.raw.item("a:instance", "a").read();
    const { duroxideTs: _, ...known } = resource;
    await stage.raw.items.upsert(known);
    await expectLost(ours);
    const again = await fetchOrchestration(stage, { pollTimeoutMs: WAIT_MS, heldHistory: () => memory.tag });
    expect(again?.item.historyOmitted).toBeUndefined();
    if (again !== undefined) await commit(stage, again);
    await expectSettled();
  });
});

it("a commit of several batches leaves nothing that a process carries out", async () => {
  await stage.provider.enqueueForOrchestrator(planned("a", { keys: 110 }));
  const ours = await fetchWarm(stage, memory);
  await commit(other, await mustFetch(other));
  await expect(commit(stage, ours)).rejects.toMatchObject(LOST);
  const types = new Set((await stored()).map(({ type }) => type));
  expect(types).not.toContain("commit_intent");
  const history = await stage.provider.readHistory("a");
  expect(new Set(history.map(({ event_id }) => event_id)).size).toBe(history.length);
});

it("the process that has lost its turn looks for its messages at once, and locks", async () => {
  const ours = await fetchWarm(stage, memory);
  const { lockToken } = await mustFetch(other);
  await other.provider.abandonOrchestrationItem(lockToken);
  await expect(commit(stage, ours)).rejects.toMatchObject(LOST);
  stage.trap.set(undefined);
  const again = await fetchOrchestration(stage, { pollTimeoutMs: WAIT_MS });
  expect(again).toMatchObject({ attemptCount: 2, item: { instanceId: "a" } });
  // Without a question where there is work.
  expect(stage.trap.labels.slice(0, 2)).toEqual([
    'query ["a"] instance, orch_queue',
    'batch ["a"] Replace instance',
  ]);
});

it("a turn that was refused is found again at once by a fetch that waits", async () => {
  const ours = await fetchWarm(stage, memory);
  const theirs = await mustFetch(other);
  await other.provider.abandonOrchestrationItem(theirs.lockToken, { ignoreAttempt: true });
  await expect(commit(stage, ours)).rejects.toMatchObject(LOST);
  let found: FetchedOrchestration | undefined;
  const fetch = fetchOrchestration(stage, { pollTimeoutMs: WAIT_MS }).then((fetched) => {
    found = fetched;
  });
  await stage.trap.idle();
  expect(found?.item.messages).toHaveLength(1);
  await stage.clock.advance(WAIT_MS);
  await fetch;
});
