/** Changes by hand of an instance with a parent or children, which follow it: "d" is a child of "c", and "c" of "a". */
import { RefusedError } from "@duroxide-ts/core";
import type { Document } from "../../invariants/documents.ts";
import type { Plan, PlannedChild } from "../../support/plan.ts";
import { failureOf } from "../../support/program.ts";
import type { Stage } from "../../support/stage.ts";
import { begin, carryOut, finishWork, mustWork, settle } from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";
import { adminOf, EXECUTIONS_ARE_WHOLE_OR_ABSENT, type Performer, terminateIfRunning } from "./by-hand.ts";

const END: Plan = { end: true };

/** "c" ends when "d" has. */
async function grow(stage: Stage, youngest: Plan, ...others: readonly PlannedChild[]): Promise<void> {
  const plan: Plan = { children: [{ id: "d", plan: youngest, afterwards: END }] };
  await begin(stage, "a");
  await carryOut(stage, "a", { children: [{ id: "c", plan }, ...others] });
  await settle(stage);
}

/** "d" has failed with its activity, and "c" and "a" with it; then "e", another child of "a", has ended. */
async function fail(stage: Stage): Promise<void> {
  const plan: Plan = { activities: [{ label: "x", afterwards: END }] };
  await grow(stage, plan, { id: "e", plan });
  const works = [await mustWork(stage), await mustWork(stage)];
  for (const work of works.toSorted((a, b) => (a.item.instance < b.item.instance ? -1 : 1))) {
    if (work.item.instance === "e") await finishWork(stage, work);
    else await stage.provider.ackWorkItem(work.lockToken, failureOf(work));
    await settle(stage);
  }
}

/** It is refused where all of it was done. */
async function retry(stage: Performer): Promise<void> {
  await adminOf(stage)
    .retry("a", { by: "ada", reason: "again" })
    .catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
    });
}

/** No child is in its second execution whose parent is in its first one. */
const PARENTS_ARE_FIRST = (documents: readonly Document[]): readonly string[] => {
  const executions = ["a", "c", "d"].map((id) => {
    const instance = documents.find((each) => each.type === "instance" && each.instanceId === id);
    return Number(instance?.["currentExecutionId"]);
  });
  const isInOrder = executions.join() === executions.toSorted((x, y) => y - x).join();
  return isInOrder ? [] : [`a, c and d are in executions ${executions.join()}`];
};

export const families: readonly Operation[] = [
  operation({
    name: "retry an instance with a child that failed and one that ended later",
    prepare: fail,
    act: retry,
    halfway: (documents) => [...EXECUTIONS_ARE_WHOLE_OR_ABSENT(documents), ...PARENTS_ARE_FIRST(documents)],
    repeat: retry,
  }),
  operation({
    name: "terminate an instance with a parent and a child",
    prepare: (stage) => grow(stage, {}),
    act: (stage) => terminateIfRunning(stage, "c"),
    repeat: (stage) => terminateIfRunning(stage, "c"),
  }),
];
