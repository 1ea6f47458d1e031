/** Filtered lists and counts of instances (docs/reference/provider-contract.md §15.1). */
import type { InstanceFilter, InstanceQuery, ProviderAdmin } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, raised, scheduled, startItem } from "../messages.ts";
import {
  complete,
  continueAsNew,
  createInstance,
  firstTurn,
  mustFetch,
  mustFetchWork,
  turn,
} from "../steps.ts";
import { allInstances, CANCELLED, create, DECLINED, idsOf, NONDETERMINISTIC } from "./query-steps.ts";

/** Eight instances, "a" first. */
async function populate(context: CaseContext): Promise<void> {
  await create(context, "a");
  await create(context, "b", { name: "Other", ends: "Completed" });
  await create(context, "c", { version: "2.0.0", ends: DECLINED });
  await create(context, "d", { ends: CANCELLED });
  await create(context, "a/child", { name: "Other", version: "2.0.0", parentInstanceId: "a" });
  await create(context, "ab", { name: "Third", ends: "Completed" });
  await create(context, "e", { name: "Third", version: "2.0.0", ends: NONDETERMINISTIC });
  await create(context, "A", { version: "3.0.0-rc.1" });
}

const FILTERS: readonly (readonly [InstanceFilter, readonly string[]])[] = [
  [{}, ["A", "e", "ab", "a/child", "d", "c", "b", "a"]],
  [{ status: ["Running"] }, ["A", "a/child", "a"]],
  [{ status: ["Completed", "Failed"] }, ["e", "ab", "c", "b"]],
  [{ status: ["Cancelled"] }, ["d"]],
  [{ status: ["Scheduled"] }, []],
  [{ status: ["ContinuedAsNew"] }, []],
  [{ status: [] }, []],
  [{ name: ["Other"] }, ["a/child", "b"]],
  [{ name: ["Other", "Third"] }, ["e", "ab", "a/child", "b"]],
  [{ name: ["other"] }, []],
  [{ name: [] }, []],
  [{ version: ["2.0.0"] }, ["e", "a/child", "c"]],
  [{ version: ["2.0.0", "3.0.0-rc.1"], status: ["Running"] }, ["A", "a/child"]],
  [{ name: ["TestOrch"], version: ["1.0.0"] }, ["d", "a"]],
  [{ name: ["TestOrch"], status: ["Failed"], version: ["2.0.0"] }, ["c"]],
  [{ name: ["TestOrch"], status: ["Failed", "Completed"] }, ["c"]],
  [{ name: ["TestOrch"], status: ["Failed", "Cancelled"] }, ["d", "c"]],
  [{ idPrefix: "a" }, ["ab", "a/child", "a"]],
  [{ idPrefix: "a/" }, ["a/child"]],
  [{ idPrefix: "" }, ["A", "e", "ab", "a/child", "d", "c", "b", "a"]],
  [{ idPrefix: "%" }, []],
  [{ parentId: "a" }, ["a/child"]],
  [{ parentId: "b" }, []],
  [{ parentId: ["b", "a", "nobody"] }, ["a/child"]],
  [{ parentId: [] }, []],
  [{ instanceIds: ["a", "e", "e", "nobody"] }, ["e", "a"]],
  [{ instanceIds: ["a", "e"], status: ["Running"] }, ["a"]],
  [{ instanceIds: [] }, []],
  [{ completedBeforeMs: 1 }, []],
  [{ completedBeforeMs: Number.MAX_SAFE_INTEGER }, ["e", "ab", "d", "c", "b"]],
  [{ rootsOnly: true, name: ["Other"] }, ["b"]],
  [{ rootsOnly: false, name: ["Other"] }, ["a/child", "b"]],
  [{ failureCategory: ["application"] }, ["c"]],
  [{ failureCategory: ["cancelled", "configuration"] }, ["e", "d"]],
  [{ failureCategory: ["poison", "infrastructure"] }, []],
  [{ failureCategory: [] }, []],
  [{ errorContains: "declined" }, ["c"]],
  [{ errorContains: "NO LONGER" }, ["d"]],
  [{ errorContains: "done" }, []],
  [{ errorContains: "differs", failureCategory: ["application"] }, []],
  [{ blocked: false, idPrefix: "a" }, ["ab", "a/child", "a"]],
  [{ blocked: true }, []],
  [{ suspended: false, name: ["Third"] }, ["e", "ab"]],
  [{ suspended: true }, []],
];

const REFUSED: readonly (readonly [string, object])[] = [
  ["a misspelt filter", { filter: { names: ["x"] } }],
  ["a name that is no list", { filter: { name: "x" } }],
  ["an unknown status", { filter: { status: ["completed"] } }],
  ["an unknown category", { filter: { failureCategory: ["user"] } }],
  ["a date as a time", { filter: { createdFromMs: new Date(0) } }],
  ["a text as a flag", { filter: { blocked: "yes" } }],
  ["an unknown order", { order: "newest" }],
  ["a limit of 0", { limit: 0 }],
  ["a limit above 1000", { limit: 1_001 }],
  ["a continuation that no page returned", { continuation: "what?" }],
];

export const queries: readonly ProviderCase[] = casesOf("queries", {
  async "each filter finds the instances that match, newest first"(context) {
    await populate(context);
    for (const [filter, ids] of FILTERS) {
      context.check.equal(await idsOf(context, { filter }), ids, `ids of ${JSON.stringify(filter)}`);
    }
  },

  async "every page size gives the whole list once, in each order"(context) {
    await populate(context);
    await turn(context, "a/child");
    const created = ["A", "e", "ab", "a/child", "d", "c", "b", "a"];
    const orders = [
      ["created-desc", created],
      ["created-asc", [...created].reverse()],
      ["updated-desc", ["a/child", "A", "e", "ab", "d", "c", "b", "a"]],
    ] as const;
    for (const [order, ids] of orders) {
      for (const limit of [1, 2, 3, 7, 8, 9]) {
        context.check.equal(await idsOf(context, { order, limit }), ids, `${order}, pages of ${limit}`);
      }
    }
    const filter: InstanceFilter = { name: ["Other", "TestOrch"], idPrefix: "a" };
    const ids = await idsOf(context, { filter, order: "updated-desc", limit: 1 });
    context.check.equal(ids, ["a/child", "a"], "a filtered list of pages of one");
    const failed = await idsOf(context, { filter: { status: ["Failed", "Cancelled"] }, limit: 2 });
    context.check.equal(failed, ["e", "d", "c"], "a list of two statuses of pages of two");
  },

  async "an instance is as new as its start, not as an event that came before"(context) {
    const { check, provider, time } = context;
    await provider.enqueueForOrchestrator(raised("early event", "go"), undefined, { messageId: "once" });
    await time.pass(1);
    await createInstance(context, "older");
    await time.pass(1);
    await provider.enqueueForOrchestrator(startItem("early event"));
    await provider.enqueueForOrchestrator(raised("early event", "go"), undefined, { messageId: "once" });
    const fetched = await mustFetch(context);
    check.equal(
      fetched.item.messages.map(({ kind }) => kind),
      ["ExternalRaised", "StartOrchestration"],
      "its messages",
    );
    await firstTurn(context, fetched);
    check.equal(await idsOf(context), ["early event", "older"], "the list");
  },

  async "instances of one instant are listed once each"(context) {
    const ids = ["p", "q", "r", "s", "t"];
    for (const id of ids) await createInstance(context, id);
    for (const order of ["created-desc", "created-asc", "updated-desc"] as const) {
      const listed = await idsOf(context, { order, limit: 2 });
      context.check.equal([...listed].sort(), ids, order);
    }
  },

  async "a time range includes its beginning and not its end"(context) {
    const { check, admin } = context;
    for (const id of ["a", "b", "c"]) await create(context, id);
    await turn(context, "a");
    const { createdAtMs } = await admin.getInstanceInfo("b");
    const { updatedAtMs } = await admin.getInstanceInfo("a");
    const list = (filter: InstanceFilter): Promise<readonly string[]> => idsOf(context, { filter });
    check.equal(await list({ createdFromMs: createdAtMs }), ["c", "b"], "created from");
    check.equal(await list({ createdToMs: createdAtMs }), ["a"], "created to");
    check.equal(
      await list({ createdFromMs: createdAtMs, createdToMs: createdAtMs + 1 }),
      ["b"],
      "created in",
    );
    check.equal(await list({ updatedFromMs: updatedAtMs }), ["a"], "updated from");
    check.equal(await list({ updatedToMs: updatedAtMs }), ["c", "b"], "updated to");
    const filter = { updatedFromMs: createdAtMs, updatedToMs: updatedAtMs + 1 };
    const byUpdate = await idsOf(context, { filter, order: "updated-desc", limit: 1 });
    check.equal(byUpdate, ["a", "c", "b"], "updated in, by update");
  },

  async "a summary is what is known of the instance, with its failure"(context) {
    const { check, admin } = context;
    await populate(context);
    for (const { failure, ...info } of await allInstances(context)) {
      check.equal(info, await admin.getInstanceInfo(info.instanceId), info.instanceId);
      const expected = {
        c: ["application", DECLINED],
        d: ["cancelled", CANCELLED],
        e: ["configuration", NONDETERMINISTIC],
      };
      const [category, details] = expected[info.instanceId as "c"] ?? [];
      check.equal([failure?.category, failure?.details] as unknown[], [category, details], "the failure");
      check.isTrue(!/[\r\n]/.test(failure?.message ?? ""), "a message is one line");
    }
    const [cancelled] = await allInstances(context, { filter: { failureCategory: ["cancelled"] } });
    check.equal(cancelled?.failure?.message, "no longer wanted", "the message of a cancellation");
  },

  async "a large output is left out of a list, and a small one is not"(context) {
    const { check } = context;
    for (const [id, length] of [
      ["small", 8_190],
      ["large", 20_000],
    ] as const) {
      await create(context, id);
      await turn(context, id, { metadata: { status: "Completed", output: `"${"x".repeat(length)}"` } });
    }
    const lengths = (await allInstances(context)).map(({ output }) => output?.length);
    check.equal(lengths, [undefined, 8_192], "the lengths of the outputs, newest first");
  },

  async "a list follows the current execution"(context) {
    const { check } = context;
    await create(context, "a", { ends: "Completed" });
    await create(context, "b");
    await continueAsNew(context, "b", 2);
    const [b] = await allInstances(context, { filter: { status: ["Running"] } });
    check.equal([b?.instanceId, b?.currentExecutionId], ["b", 2], "the running instance");
    await complete(context, "b", "Failed");
    check.equal(await idsOf(context, { filter: { status: ["Running"] } }), [], "running ones");
    check.equal(await idsOf(context, { filter: { status: ["Failed"] } }), ["b"], "failed ones");
    const [failed] = await allInstances(context, { filter: { status: ["Failed"] } });
    check.absent(failed?.failure, "the failure of an execution without an event of it");
  },

  async "an instance is listed from its first turn until it is deleted"(context) {
    const { provider, check, admin } = context;
    await provider.enqueueForOrchestrator(startItem("queued"));
    await provider.enqueueForOrchestrator(raised("nobody", "early"));
    check.equal(await idsOf(context), [], "instances without a turn");
    check.equal((await context.admin.countInstances()).counts, [{ key: [], count: 0 }], "their number");
    await mustFetch(context);
    await create(context, "a", { ends: "Completed" });
    await create(context, "b", { ends: DECLINED });
    await admin.deleteInstance("b");
    check.equal(await idsOf(context), ["a"], "instances after a deletion");
    check.equal(await idsOf(context, { filter: { failureCategory: ["application"] } }), [], "failed ones");
  },

  async "changes between two pages neither repeat nor lose other instances"(context) {
    const { check, admin } = context;
    for (const id of ["a", "b", "c", "d", "e"]) await create(context, id, { ends: "Completed" });
    const { queryInstances } = withThis(context);
    const first = await queryInstances({ limit: 2 });
    await admin.deleteInstance("d");
    await create(context, "f");
    const { continuation } = first;
    const rest = await queryInstances({ ...(continuation !== undefined && { continuation }) });
    const ids = [...first.instances, ...rest.instances].map(({ instanceId }) => instanceId);
    check.equal(ids, ["e", "d", "c", "b", "a"], "the list");
  },

  async "a continuation is refused with another filter or order"(context) {
    const { check } = context;
    for (const id of ["a", "b", "c"]) await create(context, id);
    const { queryInstances } = withThis(context);
    const filter = { name: ["TestOrch"], status: ["Running"] } as const;
    const page = await queryInstances({ filter, limit: 1 });
    const continuation = check.present(page.continuation, "a continuation");
    const others: readonly InstanceQuery[] = [
      { continuation },
      { continuation, filter: { name: ["TestOrch"] } },
      { continuation, filter, order: "created-asc" },
      { continuation: `${continuation}x`, filter },
      { continuation: continuation.slice(0, -3), filter },
    ];
    for (const other of others) {
      await check.rejects(queryInstances(other), "invalid-input", JSON.stringify(other));
    }
    const same = await queryInstances({
      continuation,
      limit: 5,
      filter: { status: ["Running"], name: ["TestOrch"] },
    });
    check.equal(same.instances.length, 2, "instances of the same query with a larger limit");
  },

  async "what is no query is refused"(context) {
    const { queryInstances } = withThis(context);
    for (const [what, query] of REFUSED) {
      await context.check.rejects(queryInstances(query as InstanceQuery), "invalid-input", what);
    }
    const counted = context.admin.countInstances({}, ["state" as "status"]);
    await context.check.rejects(counted, "invalid-input", "a count by an unknown property");
    const twice = context.admin.countInstances({}, ["name", "name"]);
    await context.check.rejects(twice, "invalid-input", "a count by a property twice");
  },

  async "counts are those of the matching instances, by each property"(context) {
    await populate(context);
    const count = async (...args: Parameters<ProviderAdmin["countInstances"]>): Promise<string[]> => {
      const { counts } = await context.admin.countInstances(...args);
      return counts.map((each) => `${each.key.join(" ")}: ${each.count}`).sort();
    };
    const { check } = context;
    check.equal(await count(), [": 8"], "all");
    check.equal(await count({ idPrefix: "a" }), [": 3"], "with a prefix");
    check.equal(await count({ name: ["Nobody"] }), [": 0"], "without a match");
    check.equal(
      await count({}, ["status"]),
      ["Cancelled: 1", "Completed: 2", "Failed: 2", "Running: 3"],
      "by status",
    );
    check.equal(
      await count({ rootsOnly: true }, ["name", "version"]),
      [
        "Other 1.0.0: 1",
        "TestOrch 1.0.0: 2",
        "TestOrch 2.0.0: 1",
        "TestOrch 3.0.0-rc.1: 1",
        "Third 1.0.0: 1",
        "Third 2.0.0: 1",
      ],
      "roots by name and version",
    );
    check.equal(
      await count({ status: ["Failed"] }, ["status", "name"]),
      ["Failed TestOrch: 1", "Failed Third: 1"],
      "failed ones by status and name",
    );
    check.equal(await count({ failureCategory: ["cancelled"] }, ["version"]), ["1.0.0: 1"], "by category");
  },

  async "an instance is blocked by itself or by an activity, and shows what is blocked longest"(context) {
    const { provider, check, time } = context;
    await create(context, "free");
    await createInstance(context, "a", {
      historyDelta: [scheduled("a", 2), scheduled("a", 3)],
      workerItems: [activity("a", 2), activity("a", 3)],
    });
    for (const detail of ["first", "second"]) {
      const { lockToken } = await mustFetchWork(context);
      const blocked = { reason: "missing-activity", detail } as const;
      await provider.abandonWorkItem(lockToken, { delayMs: 60_000, blocked });
      await time.pass(10);
    }
    await createInstance(context, "b");
    await provider.enqueueForOrchestrator(raised("b", "e"));
    const { lockToken } = await mustFetch(context);
    const blocked = { reason: "nondeterminism", detail: "event 2" } as const;
    await provider.abandonOrchestrationItem(lockToken, { delayMs: 60_000, blocked });
    const listed = await allInstances(context, { filter: { blocked: true }, order: "created-asc" });
    const details = listed.map((each) => `${each.instanceId}: ${each.blocked?.detail}`);
    check.equal(details, ["a: first", "b: event 2"], "blocked instances");
    check.equal(listed[0]?.blocked?.activity?.name, "work", "the blocked activity");
    check.equal(await idsOf(context, { filter: { blocked: false } }), ["free"], "the others");
    const { counts } = await context.admin.countInstances({ blocked: true });
    check.equal(counts, [{ key: [], count: 2 }], "the number of blocked instances");
    const everyone = await allInstances(context);
    check.equal(
      everyone.filter((each) => each.blocked !== undefined).length,
      2,
      "in a list without a filter",
    );
  },
});

/** The method as a function of its own. */
function withThis(context: CaseContext): Pick<ProviderAdmin, "queryInstances"> {
  const owner = context.admin;
  return { queryInstances: (query) => owner.queryInstances(query) };
}
