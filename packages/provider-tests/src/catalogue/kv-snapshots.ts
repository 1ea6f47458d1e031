/** A turn begins with the key-value entries of finished executions, and no others. Catalogue: kv_store. */
import { casesOf, type ProviderCase } from "../case.ts";
import { createInstance } from "../steps.ts";
import { begins, changeKv, checkKv, checkSnapshot, clear, clearAll, set } from "./kv-steps.ts";

export const kvSnapshots: readonly ProviderCase[] = casesOf("kv_store", {
  test_kv_snapshot_in_fetch: begins([[set("x", "1"), set("y", "2")], "completes"], { x: "1", y: "2" }),

  test_kv_snapshot_after_clear_single: begins(
    [[set("kept", "1"), set("cleared", "2")], [clear("cleared")], "completes"],
    { kept: "1" },
  ),

  test_kv_snapshot_after_clear_all: begins([[set("x", "1"), set("y", "2")], [clearAll()]], {}),

  test_kv_snapshot_empty: begins([], {}),

  test_kv_snapshot_cross_execution: begins([[set("A", "1")], "continues", [set("B", "2")]], { A: "1" }),

  async test_kv_delta_snapshot_excludes_current_execution(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("key", "value")]);

    await checkKv(context, "a", { key: "value" }, "for clients");
    await checkSnapshot(context, "a", {}, "in the execution that set the key");
  },

  test_kv_delta_snapshot_includes_completed_execution: begins([[set("key", "value")], "continues"], {
    key: "value",
  }),

  test_kv_delta_merged_on_can: begins(
    [[set("kept", "1"), set("updated", "old")], [set("updated", "new")], "continues"],
    { kept: "1", updated: "new" },
  ),
});
