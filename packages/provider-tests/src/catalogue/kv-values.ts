/** Key-value entries as clients read them while one execution runs. Catalogue: kv_store. */
import { casesOf, type ProviderCase } from "../case.ts";
import { createInstance } from "../steps.ts";
import { changeKv, checkKv, clear, clearAll, reads, set } from "./kv-steps.ts";

export const kvValues: readonly ProviderCase[] = casesOf("kv_store", {
  test_kv_set_and_get: reads([[set("counter", "42")]], { counter: "42" }),

  test_kv_overwrite: reads([[set("key", "old")], [set("key", "new")]], { key: "new" }),

  test_kv_clear_single: reads([[set("key", "value")], [clear("key")]], { key: undefined }),

  test_kv_clear_all: reads([[set("one", "1"), set("two", "2")], [clearAll()]], {
    one: undefined,
    two: undefined,
  }),

  test_kv_get_nonexistent: reads([[set("key", "value")]], { key: "value", other: undefined }),

  async test_kv_instance_isolation(context) {
    for (const instance of ["a", "b"]) {
      await createInstance(context, instance);
      await changeKv(context, instance, [set("key", `of ${instance}`)]);
    }
    await changeKv(context, "b", [set("key", "changed")]);

    await checkKv(context, "a", { key: "of a" }, "of the one instance");
    await checkKv(context, "b", { key: "changed" }, "of the other instance");
  },

  async test_kv_clear_nonexistent_key(context) {
    await createInstance(context, "a");
    await changeKv(context, "a", [clear("ghost")]);

    const history = await context.provider.readHistory("a");
    context.check.equal(history.at(-1)?.type, "KeyValueCleared", "the last event, as the turn was committed");
    await checkKv(context, "a", { ghost: undefined }, "after a key was cleared that never was");
  },

  async test_kv_get_unknown_instance(context) {
    await checkKv(context, "nobody", { key: undefined }, "of an unknown instance");
  },

  test_kv_set_after_clear: reads(
    [
      [set("old", "1"), set("again", "2")],
      [clearAll(), set("again", "3"), set("new", "4")],
    ],
    { old: undefined, again: "3", new: "4" },
  ),

  test_kv_empty_value: reads([[set("empty", "")]], { empty: "" }),

  async test_kv_large_value(context) {
    const large = "0123456789abcdef".repeat(1_024);
    await createInstance(context, "a");
    await changeKv(context, "a", [set("large", large)]);

    await checkKv(context, "a", { large }, "after a value of 16 KiB was set");
  },

  async test_kv_special_chars_in_key(context) {
    const keys = ["with some spaces", "日本語", "dots.in.the.key", "slashes/in/the/key", "emoji 🎉"];
    await createInstance(context, "a");
    await changeKv(
      context,
      "a",
      keys.map((key) => set(key, `value of ${key}`)),
    );

    const expected = Object.fromEntries(keys.map((key) => [key, `value of ${key}`]));
    await checkKv(context, "a", expected, "with unusual keys");
  },

  async test_kv_clear_isolation(context) {
    for (const instance of ["a", "b"]) {
      await createInstance(context, instance);
      await changeKv(context, instance, [set("key", `of ${instance}`)]);
    }
    await changeKv(context, "a", [clearAll()]);

    await checkKv(context, "a", { key: undefined }, "of the instance that cleared all");
    await checkKv(context, "b", { key: "of b" }, "of the other instance");
  },
});
