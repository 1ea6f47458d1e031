/** Changes of an instance by hand. The operator repeats what is not done; a change is there as a whole or not at all. */
import { type Admin, AlreadyExistsError } from "@duroxide-ts/core";
import { eventOf, fetchOrchestration, mustFetch, started } from "@duroxide-ts/provider-tests/building-blocks";
import { planned, start } from "../../support/plan.ts";
import type { Stage } from "../../support/stage.ts";
import { begin, carryOut, commit, finishWork, mustWork, settle } from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";
import {
  adminOf,
  EXECUTIONS_ARE_WHOLE_OR_ABSENT,
  inSecondExecution,
  type Performer,
  terminateIfRunning,
} from "./by-hand.ts";

/** "a" with an activity that is done, and keys. Nothing is left to be done in it. */
async function growBusy(stage: Stage): Promise<void> {
  await begin(stage, "a", "b");
  await carryOut(stage, "a", { activities: [{ label: "done" }], keys: 3 });
  await finishWork(stage, await mustWork(stage));
  await settle(stage);
}

/** "a", which has failed because activities have; one batch cannot queue fifty again. */
async function failWith(stage: Stage, activities: number): Promise<void> {
  await stage.provider.enqueueForOrchestrator(start("a"));
  const fetched = await mustFetch(stage);
  const input = JSON.stringify({ label: "again", replyTo: "a", filling: "" });
  const ids = Array.from({ length: activities }, (_, index) => index + 2);
  const details = { Application: { kind: "ActivityFailed", message: "no", retryable: false } } as const;
  const failures = ids.map((id) => ({
    ...eventOf("ActivityFailed", "a", id + activities, { details }),
    source_event_id: id,
  }));
  await stage.provider.ackOrchestrationItem({
    lockToken: fetched.lockToken,
    executionId: 1,
    historyDelta: [
      started("a"),
      ...ids.map((id) => eventOf("ActivityScheduled", "a", id, { name: "again", input })),
      ...failures,
      eventOf("OrchestrationFailed", "a", 2 * activities + 2, { details }),
    ],
    workerItems: [],
    orchestratorItems: [],
    cancelledActivities: [],
    metadata: {
      orchestrationName: "Planned",
      orchestrationVersion: "1.0.0",
      status: "Failed",
      output: "no",
    },
  });
}

const retry = (admin: Admin): Promise<unknown> => admin.retry("a", { by: "ada", reason: "again" });
const restart = (admin: Admin): Promise<unknown> => admin.restart("a", { by: "ada" });
const rewindTo =
  (toEvent: number) =>
  (admin: Admin): Promise<unknown> =>
    admin.rewind("a", { toEvent, by: "ada" });

/** The id that another call has taken is that of the same restart. */
async function restartAs(stage: Performer, newId: string): Promise<void> {
  await adminOf(stage)
    .restart("a", { newId, by: "ada" })
    .catch((error: unknown) => {
      if (!(error instanceof AlreadyExistsError)) throw error;
    });
}

const terminate = (stage: Performer): Promise<void> => terminateIfRunning(stage, "a");

export const verbs: readonly Operation[] = [
  operation({
    name: "retry a failed instance",
    prepare: (stage) => failWith(stage, 1),
    act: (stage) => inSecondExecution(stage, retry),
    halfway: EXECUTIONS_ARE_WHOLE_OR_ABSENT,
    repeat: (stage) => inSecondExecution(stage, retry),
  }),
  operation({
    name: "retry a failed instance with fifty activities",
    prepare: (stage) => failWith(stage, 50),
    act: (stage) => inSecondExecution(stage, retry),
    halfway: EXECUTIONS_ARE_WHOLE_OR_ABSENT,
    repeat: (stage) => inSecondExecution(stage, retry),
  }),
  operation({
    name: "rewind a running instance",
    prepare: growBusy,
    act: (stage) => inSecondExecution(stage, rewindTo(6)),
    halfway: EXECUTIONS_ARE_WHOLE_OR_ABSENT,
    repeat: (stage) => inSecondExecution(stage, rewindTo(6)),
  }),
  operation({
    name: "rewind a failed instance",
    prepare: (stage) => failWith(stage, 1),
    act: (stage) => inSecondExecution(stage, rewindTo(2)),
    halfway: EXECUTIONS_ARE_WHOLE_OR_ABSENT,
    repeat: (stage) => inSecondExecution(stage, rewindTo(2)),
  }),
  operation({
    name: "terminate an instance",
    prepare: growBusy,
    act: terminate,
    repeat: terminate,
  }),
  operation({
    name: "restart an instance that has ended",
    async prepare(stage) {
      await growBusy(stage);
      await carryOut(stage, "a", { end: true });
    },
    act: (stage) => inSecondExecution(stage, restart),
    halfway: EXECUTIONS_ARE_WHOLE_OR_ABSENT,
    repeat: (stage) => inSecondExecution(stage, restart),
  }),
  operation({
    name: "restart an instance that has ended under a new id",
    async prepare(stage) {
      await stage.provider.enqueueForOrchestrator(start("a", { keys: 2, end: true }));
      await commit(stage, await mustFetch(stage));
    },
    act: (stage) => restartAs(stage, "z"),
    repeat: (stage) => restartAs(stage, "z"),
  }),
  operation({
    name: "suspend an instance, send it messages, and resume it",
    prepare: (stage) => begin(stage, "a", "b"),
    async act(stage) {
      const admin = adminOf(stage);
      await admin.suspend("a", { reason: "wait", by: "ada" });
      await stage.provider.enqueueForOrchestrator(planned("a", { end: true }), 0, { messageId: "m" });
      const turn = await fetchOrchestration(stage);
      if (turn !== undefined) throw new Error("a suspended instance was handed out");
      await admin.resume("a");
      await commit(stage, await mustFetch(stage));
    },
    async repeat(stage) {
      await stage.provider.enqueueForOrchestrator(planned("a", { end: true }), 0, { messageId: "m" });
      await adminOf(stage).resume("a");
    },
  }),
];
