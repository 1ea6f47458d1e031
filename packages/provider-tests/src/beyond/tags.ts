/** Tags of instances (docs/reference/provider-contract.md §7.3, §15.1). */
import { type InstanceFilter, ProviderError, type Tags } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { NAMED, scheduled } from "../messages.ts";
import { complete, continueAsNew, createInstance, turn } from "../steps.ts";
import { allInstances, idsOf } from "./query-steps.ts";
import { revised, runningInstance, secondExecution, standing } from "./revision-steps.ts";

async function tagsOf({ admin }: CaseContext, id: string): Promise<Tags | undefined> {
  return (await admin.getInstanceInfo(id)).tags;
}

async function create(context: CaseContext, id: string, tags: Tags): Promise<void> {
  await createInstance(context, id, { metadata: { tags } });
  await context.time.pass(10);
}

/** Pairs whose texts are alike. */
const ALIKE: Readonly<Record<string, Tags>> = {
  number: { v: 2 },
  text: { v: "2" },
  truth: { v: true },
  word: { v: "true" },
  falsehood: { v: false },
  equals: { a: "b=c" },
  inKey: { "a=b": "c" },
  backslash: { "a\\": "=b" },
  quote: { 'a"': '"b' },
  empty: { v: "" },
  control: { "k\u0000": "\u0001" },
  fraction: { v: -2.5 },
  large: { v: 2 ** 60 },
  beyondAscii: { schlüssel: "日本\u{1f600}" },
};

const POPULATION: readonly (readonly [string, Tags])[] = [
  ["a", { tenant: "acme", priority: 1 }],
  ["b", { tenant: "acme", priority: 2, vip: true }],
  ["c", { tenant: "other", priority: 2 }],
  ["d", { tenant: "acme", priority: "2" }],
  ["e", { tenant: "acme", priority: 10, vip: false }],
];

async function populate(context: CaseContext): Promise<void> {
  for (const [id, tags] of POPULATION) await create(context, id, tags);
  await createInstance(context, "plain");
  await complete(context, "e");
}

const FILTERS: readonly (readonly [InstanceFilter, readonly string[]])[] = [
  [{ tags: {} }, ["plain", "e", "d", "c", "b", "a"]],
  [{ tags: { tenant: "acme" } }, ["e", "d", "b", "a"]],
  [{ tags: { tenant: "acme", priority: 2 } }, ["b"]],
  [{ tags: { priority: 2 } }, ["c", "b"]],
  [{ tags: { priority: "2" } }, ["d"]],
  [{ tags: { vip: false } }, ["e"]],
  [{ tags: { vip: "true" } }, []],
  [{ tags: { other: "acme" } }, []],
  [{ tags: { tenant: "acme" }, status: ["Running"] }, ["d", "b", "a"]],
  [{ tags: { tenant: "acme" }, idPrefix: "b" }, ["b"]],
  [{ tags: { tenant: "acme" }, name: ["Other"] }, []],
  [{ tags: { tenant: "acme" }, name: ["TestOrch"], rootsOnly: true, suspended: false }, ["e", "d", "b", "a"]],
  [{ tags: { tenant: "acme" }, instanceIds: ["a", "c", "nobody"] }, ["a"]],
  [{ tags: { tenant: "acme" }, createdToMs: 0 }, []],
  [{ tags: { tenant: "acme" }, updatedFromMs: 0, completedBeforeMs: Number.MAX_SAFE_INTEGER }, ["e"]],
];

const RANGES: readonly (readonly [InstanceFilter, readonly string[]])[] = [
  [{ tags: { priority: { gte: 2 } } }, ["e", "c", "b"]],
  [{ tags: { priority: { gt: 2 } } }, ["e"]],
  [{ tags: { priority: { lt: 2 } } }, ["a"]],
  [{ tags: { priority: { lte: 2 }, tenant: "acme" } }, ["b", "a"]],
  [{ tags: { priority: { gt: 1, lt: 10 } }, status: ["Running"] }, ["c", "b"]],
  [{ tags: { priority: { gte: "" } } }, ["d"]],
  [{ tags: { tenant: { gt: "acme" } } }, ["c"]],
  [{ tags: { tenant: { lt: "b" }, vip: true } }, ["b"]],
  [{ tags: { vip: { gte: 0 } } }, []],
];

export const tags: readonly ProviderCase[] = casesOf("tags", {
  async "the turn that names the instance sets them, and reads have each with its type"(context) {
    const { check } = context;
    for (const [id, own] of Object.entries(ALIKE)) await create(context, id, own);
    await createInstance(context, "plain");
    for (const [id, own] of Object.entries(ALIKE)) {
      check.equal(await tagsOf(context, id), own, `the tags of ${id}`);
      check.equal(await idsOf(context, { filter: { tags: own } }), [id], `the list by the tags of ${id}`);
    }
    check.absent(await tagsOf(context, "plain"), "the tags of an instance without any");
    const listed = await allInstances(context, { order: "created-asc" });
    const all = listed.map(({ tags: own }) => own);
    check.equal(all, [...Object.values(ALIKE), undefined], "the tags in a list");
  },

  async "the runs of a schedule are found by it, and neither their tag nor its instance is shown"(context) {
    const { check, admin } = context;
    await create(context, "run", { "@duroxide-ts/schedule": "nightly", tenant: "acme" });
    await create(context, "plain", {});
    await createInstance(context, "schedule:nightly", {
      metadata: { orchestrationName: "@duroxide-ts/schedule" },
    });
    check.equal(await tagsOf(context, "run"), { tenant: "acme" }, "the tags of the run");
    const listed = async (filter: InstanceFilter): Promise<readonly string[]> => idsOf(context, { filter });
    check.equal(await listed({ schedule: "nightly" }), ["run"], "the runs");
    check.equal(await listed({ schedule: "nightly", tags: { tenant: "acme" } }), ["run"], "with a tag");
    check.equal(await listed({ schedule: "other" }), [], "the runs of another one");
    check.equal(await listed({}), ["plain", "run"], "all");
    check.equal(await listed({ idPrefix: "schedule:" }), [], "by the prefix of its id");
    check.equal(await listed({ version: ["1.0.0"] }), ["plain", "run"], "by version");
    check.equal(await listed({ name: ["@duroxide-ts/schedule"] }), ["schedule:nightly"], "by its name");
    const byUpdate = await idsOf(context, { order: "updated-desc" });
    check.equal(byUpdate.toSorted(), ["plain", "run"], "by update");
    check.equal((await admin.countInstances()).counts, [{ key: [], count: 2 }], "the count");
    check.equal((await admin.getSystemMetrics()).totalInstances, 2, "the total");
    check.equal((await admin.getQueueDepths()).runningInstances, 2, "what runs");
    const pruned = await admin.pruneInstances({}, {});
    check.equal(pruned.instancesProcessed, 2, "what is pruned");
    await admin.deleteInstance("schedule:nightly", { force: true });
    check.equal((await admin.getSystemMetrics()).totalInstances, 2, "the total after its deletion");
  },

  async "a turn replaces all of them; one that says nothing keeps them; an empty object removes them"(
    context,
  ) {
    const { check } = context;
    await create(context, "a", { tenant: "acme", state: "new" });
    await turn(context, "a");
    check.equal(await tagsOf(context, "a"), { tenant: "acme", state: "new" }, "after a turn without tags");
    await turn(context, "a", { metadata: { tags: { tenant: "acme", state: 2 } } });
    check.equal(await tagsOf(context, "a"), { tenant: "acme", state: 2 }, "after a change");
    const filter = { tags: { state: "new" } };
    check.equal(await idsOf(context, { filter }), [], "the list by the value before");
    await turn(context, "a", { metadata: { tags: { more: true } } });
    check.equal(await tagsOf(context, "a"), { more: true }, "after all were replaced");
    check.equal(await idsOf(context, { filter: { tags: { tenant: "acme" } } }), [], "by a removed tag");
    await turn(context, "a", { metadata: { tags: {} } });
    check.absent(await tagsOf(context, "a"), "the tags after their removal");
    check.equal(await idsOf(context, { filter: { tags: { more: true } } }), [], "by the last removed tag");
  },

  async "each filter finds the instances that match, newest first, and counts them"(context) {
    const { check, admin } = context;
    await populate(context);
    for (const [filter, ids] of FILTERS) {
      check.equal(await idsOf(context, { filter }), ids, `ids of ${JSON.stringify(filter)}`);
      const { counts } = await admin.countInstances(filter);
      check.equal(counts, [{ key: [], count: ids.length }], `the count of ${JSON.stringify(filter)}`);
    }
  },

  async "a range finds what lies in it, by type; or the store refuses it and says so"(context) {
    const { check, admin } = context;
    await populate(context);
    for (const [filter, ids] of RANGES) {
      const what = JSON.stringify(filter);
      try {
        check.equal(await idsOf(context, { filter }), ids, `ids of ${what}`);
        const { counts } = await admin.countInstances(filter);
        check.equal(counts, [{ key: [], count: ids.length }], `the count of ${what}`);
      } catch (error) {
        if (!(ProviderError.is(error) && error.code === "unsupported")) throw error;
        await check.rejects(admin.countInstances(filter), "unsupported", `a count of ${what}`);
        await check.rejects(admin.deleteInstances(filter), "unsupported", `a deletion by ${what}`);
      }
    }
    check.equal((await idsOf(context)).length, 6, "the number of instances");
  },

  async "every page size gives the whole list once, in each order"(context) {
    const { check } = context;
    await populate(context);
    await context.time.pass(10);
    await turn(context, "b");
    const filter = { tags: { tenant: "acme" } };
    const orders = { "created-desc": "edba", "created-asc": "abde", "updated-desc": "beda" } as const;
    for (const order of ["created-desc", "created-asc", "updated-desc"] as const) {
      for (const limit of [1, 2, 3, 4, 5]) {
        const ids = await idsOf(context, { filter, order, limit });
        check.equal(ids.join(""), orders[order], `${order}, pages of ${limit}`);
      }
    }
  },

  async "conditions that no tag can meet are refused"(context) {
    const { check, admin } = context;
    const bad: readonly unknown[] = [
      "tenant=acme",
      [],
      { v: null },
      { v: undefined },
      { v: Number.NaN },
      { v: "x".repeat(257) },
      { ["k".repeat(65)]: "x" },
      { "": "x" },
      { v: {} },
      { v: { gte: true } },
      { v: { gte: 1, lt: "x" } },
      { v: { above: 1 } },
      Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, n])),
    ];
    for (const each of bad) {
      const filter = { tags: each } as InstanceFilter;
      const what = JSON.stringify(each);
      await check.rejects(admin.queryInstances({ filter }), "invalid-input", `a list by ${what}`);
      await check.rejects(admin.countInstances(filter), "invalid-input", `a count by ${what}`);
      await check.rejects(admin.deleteInstances(filter), "invalid-input", `a deletion by ${what}`);
    }
    await check.rejects(admin.deleteInstances({ tags: {} }), "invalid-input", "a deletion by no tag");
    await check.rejects(admin.pruneInstances({ tags: {} }, {}), "invalid-input", "a pruning by no tag");
  },

  async "two turns that have the same tags store them once"(context) {
    const { check } = context;
    await create(context, "a", { tenant: "acme", n: 1 });
    await turn(context, "a", { metadata: { tags: { n: 1, tenant: "acme" } } });
    check.equal(await tagsOf(context, "a"), { tenant: "acme", n: 1 }, "the tags");
    check.equal(await idsOf(context, { filter: { tags: { n: 1 } } }), ["a"], "the list");
  },

  async "they stay across executions, and end with the instance"(context) {
    const { check, admin } = context;
    await create(context, "a", { tenant: "acme" });
    await continueAsNew(context, "a", 2);
    check.equal(await tagsOf(context, "a"), { tenant: "acme" }, "in the second execution");
    await continueAsNew(context, "a", 3, { metadata: { tags: { tenant: "third" } } });
    check.equal(await tagsOf(context, "a"), { tenant: "third" }, "in the third execution");
    await complete(context, "a");
    check.equal(await tagsOf(context, "a"), { tenant: "third" }, "after the end");
    await admin.deleteInstance("a");
    await createInstance(context, "a");
    check.absent(await tagsOf(context, "a"), "the tags of a new instance");
    check.equal(await idsOf(context, { filter: { tags: { tenant: "third" } } }), [], "the list");
  },

  async "a change by hand replaces them, or keeps them"(context) {
    const { check } = context;
    await runningInstance(context);
    await turn(context, "a", { metadata: { status: "Failed", output: "broken", tags: { state: "broken" } } });
    const again = secondExecution();
    const metadata = { ...again.metadata, tags: { state: "again" } };
    const expected = standing("Failed");
    await revised(context, { instanceId: "a", expected, turn: { ...again, metadata } });
    check.equal(await tagsOf(context, "a"), { state: "again" }, "after the change");
    const second = { executionId: 2, status: "Running" } as const;
    await revised(context, {
      instanceId: "a",
      expected: second,
      turn: {
        ...again,
        historyDelta: [scheduled("a", 3, 2)],
        orchestratorItems: [],
        workerItems: [],
        metadata: {},
      },
    });
    check.equal(await tagsOf(context, "a"), { state: "again" }, "after one that says nothing");
  },

  async "deletion and pruning in bulk are for those of a tag"(context) {
    const { check, admin } = context;
    for (const [id, own] of POPULATION) await create(context, id, own);
    for (const [id] of POPULATION) await complete(context, id);
    const filter = { tags: { tenant: "acme" }, status: ["Completed"] } as const;
    check.equal((await admin.deleteInstances(filter, { limit: 1 })).instancesDeleted, 1, "with a limit");
    check.equal((await admin.deleteInstances(filter)).instancesDeleted, 3, "without");
    check.equal(await idsOf(context), ["c"], "what is left");
    await createInstance(context, "x", { metadata: { tags: { tenant: "x" } } });
    await continueAsNew(context, "x", 2);
    const pruned = await admin.pruneInstances({ tags: { tenant: "nobody" } }, {});
    check.equal(pruned.executionsDeleted, 0, "executions of nobody");
    const own = await admin.pruneInstances({ tags: { tenant: "x" } }, {});
    check.equal(own.executionsDeleted, 1, "executions of x");
  },

  async "sixteen of the greatest size are kept"(context) {
    const { check } = context;
    const own = Object.fromEntries(
      Array.from({ length: 16 }, (_, n) => [
        `${String(n).padStart(2, "0")}${"ü".repeat(31)}`,
        '"'.repeat(256),
      ]),
    );
    await create(context, "a", own);
    check.equal(await tagsOf(context, "a"), own, "the tags");
    check.equal(await idsOf(context, { filter: { tags: own } }), ["a"], "the list");
  },

  async "a turn without an instance stores none"(context) {
    const { check, provider } = context;
    await provider.appendHistory("a", 1, [scheduled("a", 2)]);
    await turn(context, "a", { metadata: { tags: { lost: true } } });
    await turn(context, "a", { metadata: NAMED });
    check.absent(await tagsOf(context, "a"), "the tags");
  },
});
