/** Old executions are deleted, the current one never. Catalogue: prune. */
import type { PruneResult } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { Caller, CaseContext } from "../context.ts";
import { executionIds, pruneOne } from "../reads.ts";
import { complete, continueAsNew, createInstance } from "../steps.ts";

export const prune: readonly ProviderCase[] = casesOf("prune", {
  async test_prune_options_combinations(context) {
    await createExecutions(context, "four", 4);
    await createExecutions(context, "three", 3);

    checkPruned(context, await pruneOne(context.admin, "four", { keepLast: 2 }), 1, 2);
    await checkExecutions(context, "four", [3, 4], [1, 2]);
    checkPruned(context, await pruneOne(context.admin, "three", {}), 1, 2);
    await checkExecutions(context, "three", [3], [1, 2]);
  },

  async test_prune_safety(context) {
    const { admin, check } = context;
    await createExecutions(context, "running", 2);
    checkPruned(context, await pruneOne(admin, "running", { keepLast: 0 }), 1, 1);
    await checkExecutions(context, "running", [2], [1]);

    const { instancesProcessed } = await pruneOne(admin, "nobody", { keepLast: 1 });
    check.equal(instancesProcessed, 0, "pruned instances, where the only one is unknown");

    for (const [instance, options] of Object.entries({
      none: {},
      zero: { keepLast: 0 },
      one: { keepLast: 1 },
    })) {
      await createExecutions(context, instance, 4);
      await complete(context, instance);
      checkPruned(context, await pruneOne(admin, instance, options), 1, 3);
      await checkExecutions(context, instance, [4], [1, 2, 3]);
    }
  },

  async test_prune_bulk(context) {
    for (const instance of ["a", "b", "c"]) await createExecutions(context, instance, 4);

    const result = await context.admin.pruneInstances({ instanceIds: ["a", "b"] }, { keepLast: 1 });

    checkPruned(context, result, 2, 6);
    for (const instance of ["a", "b"]) await checkExecutions(context, instance, [4], [1, 2, 3]);
    await checkExecutions(context, "c", [1, 2, 3, 4], []);
  },

  async test_prune_bulk_includes_running_instances(context) {
    const { admin, check } = context;
    await createExecutions(context, "a", 3);

    checkPruned(context, await admin.pruneInstances({}, { keepLast: 1 }), 1, 2);

    await checkExecutions(context, "a", [3], [1, 2]);
    check.equal((await admin.getInstanceInfo("a")).status, "Running", "the status of the instance");
  },
});

/** An instance whose last execution is running; each execution has one event. */
async function createExecutions(caller: Caller, instance: string, count: number): Promise<void> {
  await createInstance(caller, instance);
  for (let next = 2; next <= count; next++) await continueAsNew(caller, instance, next);
}

/** Checks what was pruned, of executions with one event each. */
function checkPruned(
  { check }: CaseContext,
  result: PruneResult,
  instances: number,
  executions: number,
): void {
  check.equal(
    result,
    { instancesProcessed: instances, executionsDeleted: executions, eventsDeleted: executions },
    "what was pruned",
  );
}

/** Checks which executions of the instance are there, with their history, and which are not. */
async function checkExecutions(
  { provider, admin, check }: CaseContext,
  instance: string,
  kept: readonly number[],
  pruned: readonly number[],
): Promise<void> {
  check.equal(await executionIds(admin, instance), kept, `executions of ${instance}`);
  for (const id of kept) {
    check.equal((await provider.readHistory(instance, id)).length, 1, `events of ${instance}/${id}`);
  }
  for (const id of pruned) {
    check.equal(await provider.readHistory(instance, id), [], `history of ${instance}/${id}, which is gone`);
  }
}
