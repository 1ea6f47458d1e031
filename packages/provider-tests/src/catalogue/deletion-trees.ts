/** Parents, children, and lists of instances that are deleted together or not at all. Catalogue: deletion. */
import { casesOf, type ProviderCase } from "../case.ts";
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

    check.equal([...(await admin.listChildren("root"))].sort(), ["left", "right"], "children of the root");
    check.equal(await admin.listChildren("left"), ["leaf"], "children of a child");
    check.equal(await admin.listChildren("leaf"), [], "children of a leaf");
    check.equal(await admin.listChildren("nobody"), [], "children of an unknown instance");
  },

  async test_delete_get_parent_id(context) {
    const { admin, check } = context;
    await createFamily(context);

    check.absent(await admin.getParentId("root"), "the parent of the root");
    check.equal(await admin.getParentId("left"), "root", "the parent of a child");
    await check.rejects(admin.getParentId("nobody"), "instance-not-found", "the parent of an unknown one");
  },

  async test_delete_get_instance_tree(context) {
    const { admin, check } = context;
    await createFamily(context);

    const { rootId, allIds } = await admin.getInstanceTree("root");
    check.equal(rootId, "root", "the root of the tree");
    check.equal([...allIds].sort(), ["leaf", "left", "right", "root"], "the tree");
    check.equal(allIds.at(-1), "root", "the last one, as children come before parents");
    check.isTrue(allIds.indexOf("leaf") < allIds.indexOf("left"), "the leaf comes before its parent");
    check.equal((await admin.getInstanceTree("leaf")).allIds, ["leaf"], "the tree of a leaf");
  },

  async test_delete_instances_atomic(context) {
    const instances = ["a", "b", "c"];
    for (const instance of instances) await createCompleted(context, instance);

    checkDeleted(context, await context.admin.deleteInstancesAtomic(instances), 3);
    for (const instance of instances) await checkGone(context, instance);
  },

  async test_delete_instances_atomic_force(context) {
    const { admin, check } = context;
    const instances = ["completed", "running"];
    await createCompleted(context, "completed");
    await createInstance(context, "running");

    const refused = admin.deleteInstancesAtomic(instances);
    await check.rejects(refused, "instance-still-running", "deleting both without force");
    for (const instance of instances) await checkThere(context, instance);

    checkDeleted(context, await admin.deleteInstancesAtomic(instances, { force: true }), 2);
    for (const instance of instances) await checkGone(context, instance);
  },

  async test_delete_instances_atomic_orphan_detection(context) {
    const { admin, check } = context;
    await createCompleted(context, "root");
    await createCompleted(context, "child", { parentInstanceId: "root" });

    const refused = admin.deleteInstancesAtomic(["root"]);
    const error = await check.rejects(refused, "orphaned-child", "deleting the root without its child");
    check.matches(error.message, /child|orphan|tree/i, "the message");
    for (const instance of ["root", "child"]) await checkThere(context, instance);

    checkDeleted(context, await admin.deleteInstancesAtomic(["root", "child"]), 2);
    for (const instance of ["root", "child"]) await checkGone(context, instance);
  },
});
