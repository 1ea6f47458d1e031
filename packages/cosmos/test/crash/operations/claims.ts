/** Commits that lock in passing for fetches that wait (docs/decisions/cosmos-turns.md). */
import type { EnqueueOptions, FetchedOrchestration, FetchedWork } from "@duroxide-ts/core/stores";
import { fetchOrchestration, fetchWork, given, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import type { Document } from "../../invariants/documents.ts";
import { LARGE } from "../../support/half-done.ts";
import { type Plan, start } from "../../support/plan.ts";
import { LOCK_MS, type Stage } from "../../support/stage.ts";
import { begin, carryOut, commit, fetchPlanned, finishWork, mustWork } from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";

/** Time stands still while they wait. */
const WAIT_MS = 60_000;

/** Task to carry out, and the fetches that get what it locks. */
interface Prepared<Task, Fetched> {
  readonly task: Task;
  readonly fetches: readonly Promise<Fetched | undefined>[];
}

/** Fetches that have found nothing and wait now. */
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

const inSession = (stage: Stage): Promise<FetchedWork | undefined> => {
  const session = { ownerId: "first", lockTimeoutMs: LOCK_MS };
  return fetchWork(stage, { pollTimeoutMs: WAIT_MS, session });
};

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
function activities(name: string, plan: Plan, workers: number, take = anActivity): Operation {
  return operation({
    name,
    async prepare(stage) {
      await begin(stage, "a", "b", "c");
      const planned = await fetchPlanned(stage, "a", plan);
      return waiting(stage, planned, ...Array.from({ length: workers }, () => take(stage)));
    },
    async act(stage, { task, fetches }) {
      await commit(stage, task);
      for (const fetch of fetches) await finishWork(stage, given(await fetch, "an activity"));
    },
  });
}

const THREE: Plan = { activities: ["x", "y", "z"].map((label) => ({ label })) };

/** However often it is called. */
function startOnce({ provider }: Pick<Stage, "provider">): Promise<unknown> {
  return provider.enqueueForOrchestrator(start("a", THREE), undefined, { messageId: "start" });
}

/** Starts "a" by the name under which the program commits first turns. */
function startNamed({ provider }: Pick<Stage, "provider">, options: EnqueueOptions): Promise<unknown> {
  const item = startItem("a", { orchestration: "Planned", input: JSON.stringify(THREE) });
  return provider.enqueueForOrchestrator(item, 0, options);
}

const WHOLE_OR_NOT_AT_ALL = (documents: readonly Document[]): readonly string[] => {
  const types = new Set(documents.filter(({ instanceId }) => instanceId === "a").map(({ type }) => type));
  const isWhole = ["instance", "history"].every((type) => types.has(type));
  return types.size === 0 || (isWhole && !types.has("orch_queue")) ? [] : [[...types].join(", ")];
};

function begunWithItsStart(name: string, plan: Plan): Operation {
  return operation({
    name,
    async prepare(stage) {
      await begin(stage, "a");
      return waiting(stage, await fetchPlanned(stage, "a", { children: [{ id: "c", plan }] }), aTurn(stage));
    },
    async act(stage, { task, fetches }) {
      const first = fetches.map(async (fetch) => commit(stage, given(await fetch, "a turn")));
      await Promise.all([commit(stage, task), ...first]);
    },
  });
}

function startWithTurn(name: string, options: EnqueueOptions): Operation {
  return operation({
    name,
    async prepare(stage) {
      await begin(stage, "before");
      return waiting(stage, undefined, aTurn(stage));
    },
    async act(stage, { fetches }) {
      const started = startNamed(stage, options);
      for (const fetch of fetches) await commit(stage, given(await fetch, "a turn"));
      await started;
    },
    halfway: WHOLE_OR_NOT_AT_ALL,
    async repeat(stage) {
      if ((await stage.provider.getInstanceStatus("a")) === undefined) await startNamed(stage, options);
    },
  });
}

export const claims: readonly Operation[] = [
  activities("commit that locks activities for workers that wait", THREE, 2),
  activities(
    "commit that locks the first activity of a session",
    { activities: [{ label: "x", session: "s" }] },
    1,
    inSession,
  ),
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
  startWithTurn("start that is stored with its first turn", {}),
  startWithTurn("start under a drawn id that is stored with its first turn", { isNewId: true }),
  operation({
    name: "delivery that locks the first turn of a child",
    async prepare(stage) {
      await begin(stage, "a");
      return waiting(stage, await fetchPlanned(stage, "a", { children: [{ id: "c" }] }), aTurn(stage));
    },
    act: commitBoth,
  }),
  begunWithItsStart("delivery that is stored with the first and last turn of a child", { end: true }),
  begunWithItsStart("delivery that is stored with the first turn of a child", {
    activities: [{ label: "x", afterwards: { end: true } }],
  }),
];
