/** Key-value entries across the executions of an instance, where the catalogue checks only one side. */
import { ANSWER_PREFIX } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, type ProviderCase } from "../case.ts";
import {
  changeKv,
  checkKv,
  checkSnapshot,
  clear,
  clearAll,
  reads,
  set,
  take,
} from "../catalogue/kv-steps.ts";
import type { CaseContext } from "../context.ts";
import { complete, continueAsNew, createInstance } from "../steps.ts";

/** Instance "a" in its second execution, with the entries of the first one. */
async function inSecondExecution(context: CaseContext): Promise<void> {
  await take(context, [
    [set("kept", "1"), set("changed", "old"), set("gone", "x")],
    "continues",
    [set("changed", "new"), clear("gone"), set("added", "2")],
  ]);
}

const merged: GroupOfCases = Object.fromEntries(
  (["Completed", "Failed", "ContinuedAsNew"] as const).map((status) => [
    `what an execution did that ends as ${status} is in the next snapshot`,
    async (context: CaseContext) => {
      await createInstance(context, "a");
      await changeKv(context, "a", [set("a", "1")]);
      await changeKv(context, "a", [set("b", "2"), clear("a")], { metadata: { status } });
      await checkSnapshot(context, "a", { b: "2" }, "after the end");
    },
  ]),
);

export const keyValues: readonly ProviderCase[] = casesOf("key_values", {
  ...merged,

  "the changes of one turn count in the order of its events": reads(
    [[set("a", "1")], [set("b", "2"), clearAll(), set("c", "3"), set("c", "4"), clear("never")]],
    { a: undefined, b: undefined, c: "4" },
  ),

  async "a snapshot is that of the last end, whatever the running execution sets and clears"(context) {
    await inSecondExecution(context);
    const expected = { kept: "1", changed: "new", gone: undefined, added: "2" };
    await checkKv(context, "a", expected, "for clients");
    await checkSnapshot(context, "a", { kept: "1", changed: "old", gone: "x" }, "in the second execution");
  },

  async "what the running execution set and cleared is in the snapshot of the next"(context) {
    await inSecondExecution(context);
    await continueAsNew(context, "a", 3);
    await checkSnapshot(context, "a", { kept: "1", changed: "new", added: "2" }, "in the third execution");
  },

  async "what was cleared altogether stays cleared when the execution ends"(context) {
    await inSecondExecution(context);
    await changeKv(context, "a", [clearAll(), set("anew", "3")]);
    await complete(context, "a");
    const expected = { kept: undefined, changed: undefined, added: undefined, anew: "3" };
    await checkKv(context, "a", expected, "for clients");
    await checkSnapshot(context, "a", { anew: "3" }, "after the end");
  },

  async "unusual keys and values are the same before and after the end"(context) {
    const unusual = {
      "": "",
      " a b ": "ü",
      "日本/..": "😀",
      "'\"\\": "line one\nline two\ttab",
      "a:b": "x".repeat(65_536),
    };
    const changes = Object.entries(unusual).map(([key, value]) => set(key, value));
    await createInstance(context, "a");
    await changeKv(context, "a", changes);
    await checkKv(context, "a", unusual, "while the execution runs");
    await complete(context, "a");
    await checkKv(context, "a", unusual, "after it has ended");
    await checkSnapshot(context, "a", unusual, "after it has ended");
  },

  async "sizes leave out what was cleared"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await changeKv(context, "a", [set("one", "ab"), set("two", "cde")]);
    await complete(context, "a");
    await changeKv(context, "a", [clear("two")], { executionId: 2 });
    const stats = await provider.getInstanceStats("a");
    check.equal([stats?.kvUserKeyCount, stats?.kvTotalValueBytes], [1, 2], "keys and bytes");
  },

  async "sizes leave out the answers to questions, before and after the end"(context) {
    const { provider, check } = context;
    const answer = `${ANSWER_PREFIX}1`;
    await createInstance(context, "a");
    await changeKv(context, "a", [set("one", "ab"), set(answer, "cde")]);
    const sizes = async (): Promise<unknown> => {
      const stats = await provider.getInstanceStats("a");
      return [stats?.kvUserKeyCount, stats?.kvTotalValueBytes];
    };
    check.equal(await sizes(), [1, 2], "while the execution runs");
    await complete(context, "a");
    check.equal(await sizes(), [1, 2], "after it has ended");
    check.equal((await provider.getKvValues("a", answer)).get(answer), "cde", "the answer");
  },
});
