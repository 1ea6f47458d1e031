/** Key-value entries outlive the executions that set them, and go with their instance. Catalogue: kv_store. */
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { pruneOne } from "../reads.ts";
import { complete, createInstance } from "../steps.ts";
import { changeKv, checkKv, checkSnapshot, set, take } from "./kv-steps.ts";

export const kvLifetime: readonly ProviderCase[] = casesOf("kv_store", {
  async test_kv_execution_id_tracking(context) {
    await take(context, [[set("key", "of 1")], "continues", [set("key", "of 2")]]);

    await checkPruned(context, 1);

    await checkKv(context, "a", { key: "of 2" }, "after execution 1 was pruned");
  },

  async test_kv_prune_preserves_overwritten(context) {
    await take(context, [[set("key", "v1")], "continues", [set("key", "v2")], "completes"]);

    await checkPruned(context, 1);

    await checkKv(context, "a", { key: "v2" }, "after execution 1 was pruned");
  },

  async test_kv_prune_preserves_all_keys(context) {
    await take(context, [[set("early", "of 1")], "continues"]);

    await checkPruned(context, 1);

    await checkKv(context, "a", { early: "of 1" }, "after the only execution that set it was pruned");
  },

  async test_kv_delete_instance_cascades(context) {
    await take(context, [[set("key", "value")], "completes"]);

    await context.admin.deleteInstance("a");

    await checkKv(context, "a", { key: undefined }, "after the deletion");
    await createInstance(context, "a");
    await checkKv(context, "a", { key: undefined }, "of a new instance with the same id");
  },

  async test_kv_prune_current_execution_protected(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("key", "value")]);

    await checkPruned(context, 0);

    await checkKv(context, "a", { key: "value" }, "after the only execution was not pruned");
  },

  async test_kv_delete_instance_with_children(context) {
    await createInstance(context, "parent");
    await createInstance(context, "child", { parentInstanceId: "parent" });
    for (const instance of ["child", "parent"]) {
      await changeKv(context, instance, [set("key", `of ${instance}`)]);
      await complete(context, instance);
    }

    await context.admin.deleteInstance("parent");

    await checkKv(context, "parent", { key: undefined }, "of the deleted parent");
    await checkKv(context, "child", { key: undefined }, "of its child");
  },

  async test_kv_delta_delete_instance_cascades(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("key", "value")]);

    await context.admin.deleteInstance("a", { force: true });

    await checkKv(context, "a", { key: undefined }, "after the deletion");
    await createInstance(context, "a");
    await checkKv(context, "a", { key: undefined }, "of a new instance with the same id");
  },

  async test_kv_delta_prune_untouched_key_survives(context) {
    await take(context, [[set("first", "of 1")], "continues", [set("second", "of 2")], "continues"]);

    await checkPruned(context, 2);

    const expected = { first: "of 1", second: "of 2" };
    await checkKv(context, "a", expected, "in execution 3, after the others were pruned");
    await checkSnapshot(context, "a", expected, "in execution 3, after the others were pruned");
  },
});

/** Checks that keeping just the newest execution of instance "a" deletes so many. */
async function checkPruned({ admin, check }: CaseContext, executionsDeleted: number): Promise<void> {
  const pruned = await pruneOne(admin, "a", { keepLast: 1 });
  check.equal(pruned.executionsDeleted, executionsDeleted, "executions pruned");
}
