/** Key-value entries as clients read them across the executions of an instance. Catalogue: kv_store. */
import { casesOf, type ProviderCase } from "../case.ts";
import { continueAsNew, createInstance } from "../steps.ts";
import { changeKv, checkKv, clear, clearAll, reads, set } from "./kv-steps.ts";

export const kvExecutions: readonly ProviderCase[] = casesOf("kv_store", {
  async test_kv_cross_execution_overwrite(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("key", "v1")]);
    await checkKv(context, "a", { key: "v1" }, "in execution 1");

    await continueAsNew(context, "a", 2);
    await changeKv(context, "a", [set("key", "v2")]);
    await checkKv(context, "a", { key: "v2" }, "in execution 2");
  },

  async test_kv_cross_execution_remove_readd(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [set("key", "v1")]);
    await checkKv(context, "a", { key: "v1" }, "in execution 1, which set it");

    await continueAsNew(context, "a", 2);
    await changeKv(context, "a", [clear("key")]);
    await checkKv(context, "a", { key: undefined }, "in execution 2, which cleared it");

    await continueAsNew(context, "a", 3);
    await checkKv(context, "a", { key: undefined }, "in execution 3, before it did anything");
    await changeKv(context, "a", [set("key", "v3")]);
    await checkKv(context, "a", { key: "v3" }, "in execution 3, which set it again");
  },

  test_kv_delta_client_reads_merged: reads(
    [[set("color", "red"), set("size", "large")], "completes", [set("color", "blue"), set("shape", "round")]],
    { color: "blue", size: "large", shape: "round" },
  ),

  test_kv_delta_tombstone_overrides_store: reads([[set("key", "value")], "completes", [clear("key")]], {
    key: undefined,
  }),

  test_kv_delta_clear_all_tombstones_store: reads(
    [[set("a", "1"), set("b", "2")], "completes", [clearAll(), set("c", "3")]],
    { a: undefined, b: undefined, c: "3" },
  ),

  test_kv_delta_merged_on_completion: reads([[set("key", "value")], "completes"], { key: "value" }),
});
