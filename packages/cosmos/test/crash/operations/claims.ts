/** Commits that lock in passing for fetches that wait (docs/decisions/0014-claim-while-committing.md). */
import type { FetchedOrchestration, FetchedWork } from "@duroxide-ts/core/stores";
import { fetchOrchestration, fetchWork, given } from "@duroxide-ts/provider-tests/building-blocks";
import { type Plan, start } from "../../support/plan.ts";
import type { Stage } from "../../support/stage.ts";
import { begin, carryOut, commit, fetchPlanned, finishWork, mustWork } from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";
import { LARGE } from "./half-done.ts";

/** Time stands still while they wait. */
const WAIT_MS = 60_000;

/** What is to be done, and the fetches that get what it locks. */
interface Prepared<Task, Fetched> {
  readonly task: Task;
  readonly fetches: readonly Promise<Fetched | undefined>[];
}

/** Fetches that have looked everywhere and wait now. */
async function waiting<Task, Fetched>(
  stage: Stage,
  task: Task,
  ...fetches: readonly Promise<Fetched | undefined>[]
): Promise<Prepared<Task, Fetched>> {
  await stage.trap.idle();
  return { task, fetches };
}

const aTurn = (stage: Stage): Promise<FetchedOrchestration | undefined> =>
  fetchOrchestration(stage, { pollTimeoutMs: WAIT_MS });

const anActivity = (stage: Stage): Promise<FetchedWork | undefined> =>
  fetchWork(stage, { pollTimeoutMs: WAIT_MS });

/** Commits a turn and those that it locks. */
async function commitBoth(
  stage: Stage,
  { task, fetches }: Prepared<FetchedOrchestration, FetchedOrchestration>,
): Promise<void> {
  await commit(stage, task);
  for (const fetch of fetches) await commit(stage, given(await fetch, "a turn"));
}

function nextTurn(name: string, plan: Plan): Operation {
  return operation({
    name,
    async prepare(stage) {
      await begin(stage, "a");
      return waiting(stage, await fetchPlanned(stage, "a", plan), aTurn(stage));
    },
    act: commitBoth,
  });
}

/** Each of the workers gets an activity, and ends it. */
function activities(name: string, plan: Plan, workers: number): Operation {
  return operation({
    name,
    async prepare(stage) {
      await begin(stage, "a", "b", "c");
      const planned = await fetchPlanned(stage, "a", plan);
      return waiting(stage, planned, ...Array.from({ length: workers }, () => anActivity(stage)));
    },
    async act(stage, { task, fetches }) {
      await commit(stage, task);
      for (const fetch of fetches) await finishWork(stage, given(await fetch, "an activity"));
    },
  });
}

const THREE: Plan = { activities: ["x", "y", "z"].map((label) => ({ label })) };

/** However often it is called. */
function startOnce({ provider }: Pick<Stage, "provider">): Promise<void> {
  return provider.enqueueForOrchestrator(start("a", THREE), undefined, { messageId: "start" });
}

export const claims: readonly Operation[] = [
  activities("commit that locks activities for workers that wait", THREE, 2),
  activities("commit of more than 100 operations that locks an activity", LARGE, 1),
  operation({
    name: "end of an activity that locks the next turn",
    async prepare(stage) {
      await begin(stage, "a");
      await carryOut(stage, "a", { activities: [{ label: "x" }] });
      return waiting(stage, await mustWork(stage), aTurn(stage));
    },
    async act(stage, { task, fetches }) {
      await finishWork(stage, task);
      for (const fetch of fetches) await commit(stage, given(await fetch, "a turn"));
    },
  }),
  nextTurn("commit that locks the next turn for a timer", { timer: true }),
  nextTurn("commit that continues as new and locks the next turn", { continueAsNew: true }),
  operation({
    name: "delivery that locks the turn of the parent",
    async prepare(stage) {
      await begin(stage, "a");
      await carryOut(stage, "a", { children: [{ id: "c" }] });
      return waiting(stage, given(await fetchOrchestration(stage), "the child's turn"), aTurn(stage));
    },
    act: commitBoth,
  }),
  operation({
    name: "start that locks its first turn",
    prepare: (stage) => waiting(stage, undefined, aTurn(stage)),
    async act(stage, { fetches }) {
      await startOnce(stage);
      for (const fetch of fetches) await commit(stage, given(await fetch, "a turn"));
    },
    repeat: startOnce,
  }),
  operation({
    name: "delivery that locks the first turn of a child",
    async prepare(stage) {
      await begin(stage, "a");
      return waiting(stage, await fetchPlanned(stage, "a", { children: [{ id: "c" }] }), aTurn(stage));
    },
    act: commitBoth,
  }),
];
