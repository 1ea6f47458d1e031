/** Deleting and pruning: no message repeats them, so other processes must finish what was begun. */
import type { DeleteResult } from "@duroxide-ts/core";
import { ProviderError } from "@duroxide-ts/core";
import type { Document } from "../../invariants/documents.ts";
import { cutOff } from "../../support/half-done.ts";
import type { Plan } from "../../support/plan.ts";
import type { Stage } from "../../support/stage.ts";
import { begin, carryOut, settle } from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";

/** "a" with much to delete, and children of which one still has an activity in the queue; and "b", which stays. */
async function plantTree(stage: Stage): Promise<void> {
  await begin(stage, "a", "b");
  const plan: Plan = { activities: [{ label: "x" }] };
  await carryOut(stage, "a", { keys: 60, children: CHILDREN.map((id) => ({ id, plan })) });
  await settle(stage);
}

const CHILDREN = ["child-1", "child-2"];
const TREE = ["a", ...CHILDREN];

const TREE_IS_WHOLE_OR_GONE = (documents: readonly Document[]): readonly string[] => {
  const left = documents.filter(({ type, instanceId }) => type === "instance" && TREE.includes(instanceId));
  return left.length === 0 || left.length === TREE.length ? [] : [`of the tree ${left.length} are left`];
};

/** Gone already is as good. */
async function deleteTree({ provider }: Pick<Stage, "provider">): Promise<DeleteResult | undefined> {
  return provider.admin.deleteInstance("a", { force: true }).catch((error: unknown) => {
    if (ProviderError.is(error) && error.code === "instance-not-found") return undefined;
    throw error;
  });
}

const EXECUTIONS = 3;

/** "a" in its last execution, with more events in those before than one batch can remove. */
async function growOld(stage: Stage): Promise<void> {
  await begin(stage, "a");
  for (let execution = 1; execution < EXECUTIONS; execution++) {
    await carryOut(stage, "a", { keys: 60 });
    await carryOut(stage, "a", { continueAsNew: true });
    await settle(stage);
  }
}

/** Each execution has all its events or none. */
const EXECUTIONS_ARE_WHOLE_OR_GONE = (documents: readonly Document[]): readonly string[] => {
  const events = Map.groupBy(
    documents.filter(({ type }) => type === "history"),
    ({ executionId }) => Number(executionId),
  );
  return [...events].flatMap(([execution, rows]) => {
    const isWhole = rows.length === Math.max(...rows.map(({ eventId }) => Number(eventId)));
    return isWhole ? [] : [`of execution ${execution} ${rows.length} events are left`];
  });
};

const prune = ({ provider }: Pick<Stage, "provider">): Promise<unknown> =>
  provider.admin.pruneInstances({ instanceIds: ["a"] }, { keepLast: 1 });

export const administration: readonly Operation[] = [
  operation({
    name: "deletion of a tree",
    prepare: plantTree,
    act: deleteTree,
    halfway: TREE_IS_WHOLE_OR_GONE,
    repeat: deleteTree,
  }),
  operation({
    name: "reconciliation of a deletion",
    async prepare(stage) {
      await plantTree(stage);
      const actor = await stage.openAnother();
      // Reading, the query for children, and the intent, which marks "a"; then the first of two children is deleted.
      await cutOff(actor, 12, () => actor.provider.admin.deleteInstance("a", { force: true }));
    },
    act: (stage) => stage.reconcile(),
    halfway: TREE_IS_WHOLE_OR_GONE,
    repeat: deleteTree,
  }),
  operation({
    name: "deletion of instances that have ended",
    async prepare(stage) {
      await begin(stage, "a", "b");
      for (const id of ["a", "b"]) await carryOut(stage, id, { keys: 2, end: true });
    },
    act: ({ provider }) => provider.admin.deleteInstances({}),
    repeat: ({ provider }) => provider.admin.deleteInstances({}),
  }),
  operation({
    name: "pruning",
    prepare: growOld,
    act: prune,
    halfway: EXECUTIONS_ARE_WHOLE_OR_GONE,
    repeat: prune,
  }),
  operation({
    name: "reconciliation of a pruning",
    async prepare(stage) {
      await growOld(stage);
      const actor = await stage.openAnother();
      // The instance, its executions, the intent, the events, and one of two batches.
      await cutOff(actor, 5, () => prune(actor));
    },
    act: (stage) => stage.reconcile(),
    halfway: EXECUTIONS_ARE_WHOLE_OR_GONE,
    repeat: prune,
  }),
  operation({
    name: "pruning of several instances",
    async prepare(stage) {
      await growOld(stage);
      await begin(stage, "b");
      await carryOut(stage, "b", { continueAsNew: true });
      await settle(stage);
    },
    act: ({ provider }) => provider.admin.pruneInstances({}, { keepLast: 1 }),
    repeat: ({ provider }) => provider.admin.pruneInstances({}, { keepLast: 1 }),
  }),
];
