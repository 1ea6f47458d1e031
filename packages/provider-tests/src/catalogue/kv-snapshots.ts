/** A turn begins with the key-value entries of finished executions, and no others. Catalogue: kv_store. */
import { casesOf, type ProviderCase } from "../case.ts";
import { complete, continueAsNew, createInstance } from "../steps.ts";
import { changeKv, checkKv, checkSnapshot, clear, clearAll, set } from "./kv-steps.ts";

export const kvSnapshots: readonly ProviderCase[] = casesOf("kv_store", {
  async test_kv_snapshot_in_fetch(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("x", "1"), set("y", "2")]);
    await complete(context, "a");

    await checkSnapshot(context, "a", { x: "1", y: "2" }, "after the execution that set both");
  },

  async test_kv_snapshot_after_clear_single(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("kept", "1"), set("cleared", "2")]);
    await changeKv(context, "a", [clear("cleared")]);
    await complete(context, "a");

    await checkSnapshot(context, "a", { kept: "1" }, "after the execution that set two and cleared one");
  },

  async test_kv_snapshot_after_clear_all(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("x", "1"), set("y", "2")]);
    await changeKv(context, "a", [clearAll()]);

    await checkSnapshot(context, "a", {}, "in the execution that set two and cleared all");
  },

  async test_kv_snapshot_empty(context) {
    await createInstance(context, "a");

    await checkSnapshot(context, "a", {}, "where nothing was ever set");
  },

  async test_kv_snapshot_cross_execution(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("A", "1")]);
    await continueAsNew(context, "a", 2);
    await changeKv(context, "a", [set("B", "2")]);

    await checkSnapshot(context, "a", { A: "1" }, "in execution 2, which set B");
  },

  async test_kv_delta_snapshot_excludes_current_execution(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("key", "value")]);

    await checkKv(context, "a", { key: "value" }, "for clients");
    await checkSnapshot(context, "a", {}, "in the execution that set the key");
  },

  async test_kv_delta_snapshot_includes_completed_execution(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("key", "value")]);
    await continueAsNew(context, "a", 2);

    await checkSnapshot(context, "a", { key: "value" }, "in execution 2");
  },

  async test_kv_delta_merged_on_can(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("kept", "1"), set("updated", "old")]);
    await changeKv(context, "a", [set("updated", "new")]);
    await continueAsNew(context, "a", 2);

    await checkSnapshot(context, "a", { kept: "1", updated: "new" }, "in execution 2");
  },
});
