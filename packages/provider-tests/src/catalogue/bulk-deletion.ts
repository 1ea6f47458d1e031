/** Finished instances are deleted by filter, each with its tree; others are passed over. Catalogue: bulk_deletion. */
import type { BulkOptions, InstanceFilter } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { createInstance } from "../steps.ts";
import { checkDeleted, checkGone, checkThere, createCompleted } from "./instance-steps.ts";

export const bulkDeletion: readonly ProviderCase[] = casesOf("bulk_deletion", {
  async test_delete_instance_bulk_filter_combinations(context) {
    for (const id of ["a", "b", "c", "d", "e"]) await createCompleted(context, id);

    await checkBulk(context, { instanceIds: ["b", "d"] }, 2);
    for (const id of ["b", "d"]) await checkGone(context, id);
    for (const id of ["a", "c", "e"]) await checkThere(context, id);

    await checkBulk(context, { instanceIds: ["nobody", "no one"] }, 0);
    for (const id of ["a", "c", "e"]) await checkThere(context, id);

    await checkBulk(context, {}, 3);
    for (const id of ["a", "c", "e"]) await checkGone(context, id);
  },

  async test_delete_instance_bulk_safety_and_limits(context) {
    const completed = ["done-1", "done-2"];
    const running = ["busy-1", "busy-2"];
    for (const id of completed) await createCompleted(context, id);
    for (const id of running) await createInstance(context, id);

    await checkBulk(context, { instanceIds: [...completed, ...running] }, 2);
    for (const id of completed) await checkGone(context, id);
    for (const id of running) await checkThere(context, id);

    for (const id of ["a", "b", "c", "d"]) await createCompleted(context, id);
    for (const deleted of [2, 2, 0]) await checkBulk(context, {}, deleted, { limit: 2 });
    for (const id of running) await checkThere(context, id);
  },

  async test_delete_instance_bulk_completed_before_filter(context) {
    const { time } = context;
    const beforeMs = time.now();
    await time.pass(10);
    for (const id of ["a", "b"]) await createCompleted(context, id);
    await time.pass(10);
    const afterMs = time.now();

    await checkBulk(context, { completedBeforeMs: beforeMs }, 0);
    for (const id of ["a", "b"]) await checkThere(context, id);
    await checkBulk(context, { completedBeforeMs: afterMs }, 2);
    for (const id of ["a", "b"]) await checkGone(context, id);
  },

  async test_delete_instance_bulk_cascades_to_children(context) {
    const family = { "parent-1": ["only"], "parent-2": ["first", "second", "third"], standalone: [] };
    for (const [parentInstanceId, children] of Object.entries(family)) {
      await createCompleted(context, parentInstanceId);
      for (const child of children) await createCompleted(context, child, { parentInstanceId });
    }

    await checkBulk(context, { instanceIds: family["parent-2"] }, 0);
    await checkBulk(context, {}, 7);
    for (const id of Object.entries(family).flat(2)) await checkGone(context, id);
  },
});

/** Checks that the filter deletes so many instances; each has one execution with one event. */
async function checkBulk(
  context: CaseContext,
  filter: InstanceFilter,
  instances: number,
  options?: BulkOptions,
): Promise<void> {
  checkDeleted(context, await context.admin.deleteInstances(filter, options), instances);
}
