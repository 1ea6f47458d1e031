/** The steps that operations are prepared and survived with. */
import type { HistoryEvent } from "@duroxide-ts/core";
import type { FetchedOrchestration, FetchedWork, FetchWorkOptions } from "@duroxide-ts/core/stores";
import { fetchOrchestration, fetchWork, given } from "@duroxide-ts/provider-tests/building-blocks";
import { persist } from "../../../../test/support/persist.ts";
import { type Plan, type PlannedActivity, planned, start } from "./plan.ts";
import { commitOf, outcomeOf } from "./program.ts";
import { LOCK_MS, type Stage } from "./stage.ts";
import { WAIT_MS } from "./warm-turn.ts";

type Performer = Pick<Stage, "provider" | "lockMs" | "clock">;

export async function commit({ provider, clock }: Performer, fetched: FetchedOrchestration): Promise<void> {
  await provider.ackOrchestrationItem(commitOf(fetched, clock.now()));
}

const REPETITION_MS = 5;

/** A turn, if there is one. As a runtime does, a fetch that the service refuses for a while is called again. */
export function fetchTurn(stage: Performer): Promise<FetchedOrchestration | undefined> {
  return persist(() => fetchOrchestration(stage), REPETITION_MS);
}

async function mustFetchTurn(stage: Performer): Promise<FetchedOrchestration> {
  return given(await fetchTurn(stage), "no turn to fetch");
}

/** Starts instances, and commits the first turn of each. */
export async function begin(stage: Performer, ...instanceIds: readonly string[]): Promise<void> {
  for (const id of instanceIds) {
    await stage.provider.enqueueForOrchestrator(start(id));
    await commit(stage, await mustFetchTurn(stage));
  }
}

/** Sends a plan and fetches the turn that is to carry it out; turns that are before it are committed. */
export async function fetchPlanned(
  stage: Performer,
  instanceId: string,
  plan: Plan,
): Promise<FetchedOrchestration> {
  await stage.provider.enqueueForOrchestrator(planned(instanceId, plan));
  for (;;) {
    const fetched = await mustFetchTurn(stage);
    const isPlanned = fetched.item.messages.some((message) => message.kind === "ExternalRaised");
    if (isPlanned && fetched.item.instanceId === instanceId) return fetched;
    await commit(stage, fetched);
  }
}

/** Commits turns until there are none. */
export async function settle(stage: Performer): Promise<void> {
  for (;;) {
    const fetched = await fetchTurn(stage);
    if (fetched === undefined) return;
    await commit(stage, fetched);
  }
}

export async function carryOut(stage: Performer, instanceId: string, plan: Plan): Promise<void> {
  await commit(stage, await fetchPlanned(stage, instanceId, plan));
}

/** A worker that takes whatever there is, sessions included. */
export function work(
  stage: Performer,
  ownerId: string,
  lockTimeoutMs: number = LOCK_MS,
): Promise<FetchedWork | undefined> {
  const session = { ownerId, lockTimeoutMs };
  const options: Partial<FetchWorkOptions> = { session, tagFilter: { kind: "any" } };
  return persist(() => fetchWork(stage, options), REPETITION_MS);
}

export async function mustWork(stage: Performer, sessionLockMs?: number): Promise<FetchedWork> {
  return given(await work(stage, "first", sessionLockMs), "no activity to fetch");
}

export async function finishWork({ provider }: Performer, fetched: FetchedWork): Promise<void> {
  await provider.ackWorkItem(fetched.lockToken, outcomeOf(fetched));
}

/** Activities of instance "a" that this process runs, and what it remembers of the instance. */
export interface RunningHere {
  readonly works: readonly FetchedWork[];
  readonly historyTag: string;
  readonly history: readonly HistoryEvent[];
}

export async function runHere(stage: Stage, ...activities: readonly PlannedActivity[]): Promise<RunningHere> {
  await begin(stage, "a", "b");
  const planned = await fetchPlanned(stage, "a", { activities });
  const { historyTag } = await stage.provider.ackOrchestrationItem(commitOf(planned, stage.clock.now()));
  const works: FetchedWork[] = [];
  for (const _ of activities) works.push(await mustWork(stage));
  const history = await stage.provider.readHistory("a");
  return { works, historyTag: given(historyTag, "no history tag"), history };
}

/** The same, where fetches wait: the commit that creates the activities locks them. */
export async function runClaimed(
  stage: Stage,
  ...activities: readonly PlannedActivity[]
): Promise<RunningHere> {
  await begin(stage, "a", "b");
  const planned = await fetchPlanned(stage, "a", { activities });
  const fetches = activities.map(() => fetchWork(stage, { pollTimeoutMs: WAIT_MS }));
  await stage.trap.idle();
  const { historyTag } = await stage.provider.ackOrchestrationItem(commitOf(planned, stage.clock.now()));
  const works = (await Promise.all(fetches)).map((fetched) => given(fetched, "no activity"));
  return {
    works,
    historyTag: given(historyTag, "no history tag"),
    history: await stage.provider.readHistory("a"),
  };
}

/** Ends them together with their turn, as a runtime does; where another worker was faster, one by one. */
export async function finishWithTurn(
  stage: Performer,
  { works, historyTag, history }: RunningHere,
): Promise<void> {
  const messages = works.map(outcomeOf);
  const item = {
    instanceId: "a",
    orchestrationName: "Planned",
    version: "1.0.0",
    executionId: 1,
    history,
    messages,
    kvSnapshot: new Map(),
  };
  const { lockToken: _, ...content } = commitOf({ lockToken: "", attemptCount: 1, item }, stage.clock.now());
  const activityTokens = works.map(({ lockToken }) => lockToken);
  const outcome = await stage.provider.ackFusedTurn({
    ...content,
    instanceId: "a",
    historyTag,
    activityTokens,
  });
  if (outcome.kind === "overtaken") for (const work of works) await finishWork(stage, work);
}
