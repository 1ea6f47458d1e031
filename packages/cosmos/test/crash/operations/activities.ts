/** Fetching, ending and giving back activities, in sessions and without. */
import type { FetchedWork } from "@duroxide-ts/core/stores";
import type { PlannedActivity } from "../../support/plan.ts";
import { undecodableRow } from "../../support/queue-row.ts";
import type { Stage } from "../../support/stage.ts";
import {
  begin,
  carryOut,
  finishWithTurn,
  finishWork,
  mustWork,
  runClaimed,
  runHere,
} from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";

/** Activities that instance "a" waits for, beside "b". */
async function schedule(stage: Stage, ...activities: readonly PlannedActivity[]): Promise<void> {
  await begin(stage, "a", "b");
  await carryOut(stage, "a", { activities });
}

/** The same, written by another process: this one must query for them. */
async function scheduleElsewhere(stage: Stage, ...activities: readonly PlannedActivity[]): Promise<void> {
  const { provider } = await stage.openAnother();
  await schedule({ ...stage, provider }, ...activities);
}

async function fetchElsewhere(stage: Stage, activity: PlannedActivity): Promise<FetchedWork> {
  await schedule(stage, activity);
  return mustWork({ ...stage, ...(await stage.openAnother()) });
}

const fetched: readonly Operation[] = [
  operation({
    name: "fetch of an activity",
    prepare: (stage) => scheduleElsewhere(stage, { label: "x" }),
    act: (stage) => mustWork(stage),
  }),
  operation({
    name: "fetch of the first activity of a session",
    prepare: (stage) => scheduleElsewhere(stage, { label: "x", session: "s" }, { label: "y", session: "s" }),
    act: (stage) => mustWork(stage),
  }),
  operation({
    name: "fetch of the next activity of a session",
    async prepare(stage) {
      await schedule(stage, { label: "x", session: "s" }, { label: "y", session: "s" });
      await finishWork(stage, await mustWork(stage));
    },
    act: (stage) => mustWork(stage),
  }),
  operation({
    name: "fetch beside an activity that cannot be decoded",
    async prepare(stage) {
      await scheduleElsewhere(stage, { label: "x" });
      await stage.raw.items.create(undecodableRow("worker_queue", "a"));
    },
    act: (stage) => mustWork(stage),
  }),
];

const ended: readonly Operation[] = [
  operation({
    name: "end of an activity",
    async prepare(stage) {
      await schedule(stage, { label: "x" });
      return mustWork(stage);
    },
    act: finishWork,
  }),
  operation({
    name: "end of an activity of a session",
    async prepare(stage) {
      await schedule(stage, { label: "x", session: "s" });
      return mustWork(stage);
    },
    act: finishWork,
  }),
  operation({
    name: "end of an activity with an outcome for another instance",
    async prepare(stage) {
      await schedule(stage, { label: "x", at: "b", session: "s" });
      return mustWork(stage);
    },
    act: finishWork,
  }),
  operation({
    name: "end of an activity under a token from elsewhere",
    prepare: (stage) => fetchElsewhere(stage, { label: "x", session: "s" }),
    act: finishWork,
  }),
];

const endedWithTurn: readonly Operation[] = [
  operation({
    name: "end of an activity with its turn",
    prepare: (stage) => runHere(stage, { label: "x" }),
    act: (stage, running) => finishWithTurn(stage, running),
  }),
  operation({
    name: "end of three activities with one turn",
    prepare: (stage) => runHere(stage, { label: "x" }, { label: "y" }, { label: "z" }),
    act: (stage, running) => finishWithTurn(stage, running),
  }),
  operation({
    name: "end of an activity of a session with its turn",
    prepare: (stage) => runHere(stage, { label: "x", session: "s" }),
    act: (stage, running) => finishWithTurn(stage, running),
  }),
  operation({
    name: "end of an activity with a turn that asks for more",
    prepare: (stage) =>
      runHere(stage, {
        label: "x",
        afterwards: {
          activities: [{ label: "y" }],
          messages: [{ to: "b", name: "hello" }],
          keys: 2,
          timer: true,
        },
      }),
    act: (stage, running) => finishWithTurn(stage, running),
  }),
  operation({
    name: "end of two activities with a turn whose activities take over their rows",
    prepare: (stage) =>
      runClaimed(
        stage,
        { label: "x", afterwards: { activities: [{ label: "x2" }, { label: "x3" }] } },
        { label: "y", afterwards: { activities: [{ label: "y2" }] } },
      ),
    act: (stage, running) => finishWithTurn(stage, running),
  }),
];

const given: readonly Operation[] = [
  operation({
    name: "giving an activity back",
    prepare: (stage) => fetchElsewhere(stage, { label: "x" }),
    act: ({ provider }, { lockToken }) => provider.abandonWorkItem(lockToken),
  }),
  operation({
    name: "giving an activity back as blocked",
    prepare: (stage) => fetchElsewhere(stage, { label: "x" }),
    act: ({ provider }, { lockToken }) =>
      provider.abandonWorkItem(lockToken, {
        delayMs: 10,
        ignoreAttempt: true,
        blocked: { reason: "missing-activity", detail: "x is not registered" },
      }),
  }),
  operation({
    name: "renewal of an activity that is about to run alone",
    prepare: (stage) => fetchElsewhere(stage, { label: "x" }),
    act: ({ provider, lockMs }, { lockToken }) =>
      provider.renewWorkItemLock(lockToken, lockMs, { ignoreAttempt: true, alone: true }),
  }),
  operation({
    name: "renewal of an activity of a session",
    prepare: (stage) => fetchElsewhere(stage, { label: "x", session: "s" }),
    act: ({ provider, lockMs }, { lockToken }) => provider.renewWorkItemLock(lockToken, lockMs),
  }),
];

export const activities: readonly Operation[] = [...fetched, ...ended, ...endedWithTurn, ...given];
