/** Parents, children, and lists of instances that are deleted together or not at all. Catalogue: deletion. */
import { casesOf, type ProviderCase } from "../case.ts";
import { instanceIds } from "../reads.ts";
import { createInstance } from "../steps.ts";
import { checkDeleted, checkGone, checkThere, createCompleted, createFamily } from "./instance-steps.ts";

export const deletionTrees: readonly ProviderCase[] = casesOf("deletion", {
  async test_cascade_delete_hierarchy(context) {
    const { admin, check } = context;
    await createFamily(context);

    for (const child of ["left", "right", "leaf"]) {
      for (const force of [false, true]) {
        const what = `deleting ${child} alone, ${force ? "with" : "without"} force`;
        const error = await check.rejects(admin.deleteInstance(child, { force }), "sub-orchestration", what);
        check.matches(error.message, /sub-orchestration|delete the root/i, "the message");
        await checkThere(context, child);
      }
    }

    checkDeleted(context, await admin.deleteInstance("root"), 4);
    for (const instance of ["root", "left", "right", "leaf"]) await checkGone(context, instance);
  },

  async test_list_children(context) {
    const { admin, check } = context;
    await createFamily(context);

    const children = (parentId: string): Promise<readonly string[]> => instanceIds(admin, { parentId });
    check.equal((await children("root")).toSorted(), ["left", "right"], "children of the root");
    check.equal(await children("left"), ["leaf"], "children of a child");
    check.equal(await children("leaf"), [], "children of a leaf");
    check.equal(await children("nobody"), [], "children of an unknown instance");
  },

  async test_delete_get_parent_id(context) {
    const { admin, check } = context;
    await createFamily(context);

    check.absent((await admin.getInstanceInfo("root")).parentInstanceId, "the parent of the root");
    check.equal((await admin.getInstanceInfo("left")).parentInstanceId, "root", "the parent of a child");
  },

  async test_delete_instances_atomic(context) {
    await createFamily(context);

    checkDeleted(context, await context.admin.deleteInstances({ instanceIds: ["root"] }), 4);
    for (const instance of ["root", "left", "right", "leaf"]) await checkGone(context, instance);
  },

  async test_delete_instances_atomic_force(context) {
    const { admin, check } = context;
    const instances = ["completed", "running"];
    await createCompleted(context, "completed");
    await createInstance(context, "running", { parentInstanceId: "completed" });

    const refused = admin.deleteInstance("completed");
    await check.rejects(refused, "instance-still-running", "deleting both without force");
    for (const instance of instances) await checkThere(context, instance);

    checkDeleted(context, await admin.deleteInstance("completed", { force: true }), 2);
    for (const instance of instances) await checkGone(context, instance);
  },
});
