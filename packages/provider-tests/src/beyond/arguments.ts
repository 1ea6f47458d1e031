/**
 * Invalid arguments of JavaScript programs, and values that TypeScript accepts, such as dates that could not be parsed.
 * They are rejected before anything is read or changed (docs/reference/provider-contract.md §3).
 */
import type { FetchWorkOptions, InstanceFilter, InstanceQuery, PruneOptions } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, raised, started, startItem, turnOf } from "../messages.ts";
import { executionIds, pruneOne } from "../reads.ts";
import { continueAsNew, createInstance, fetchWork, mustFetch } from "../steps.ts";

/** Invalid times: a date that could not be parsed, in its three forms, and values of other types. */
const NO_INSTANTS: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  new Date(Number.NaN),
  new Date(0),
  "2026-01-01",
  "0",
  true,
  {},
];

const NO_COUNTS: readonly unknown[] = [Number.NaN, -1, 0.5, "10", Number.POSITIVE_INFINITY, {}];

export const badArguments: readonly ProviderCase[] = casesOf("arguments", {
  async "a time of completion that is no instant prunes and deletes nothing"(context) {
    const { check, admin } = context;
    await threeExecutions(context);
    for (const value of NO_INSTANTS) {
      const completedBeforeMs = value as number;
      await refusesAll(context, String(value), {
        "pruning one": () => pruneOne(admin, "a", { completedBeforeMs }),
        "pruning many": () => admin.pruneInstances({}, { completedBeforeMs }),
        "pruning those that a filter names": () => admin.pruneInstances({ completedBeforeMs }, {}),
        deleting: () => admin.deleteInstances({ completedBeforeMs }),
      });
    }
    check.equal(await executionIds(admin, "a"), [1, 2, 3], "what is left");
  },

  async "limits and numbers to keep are whole numbers"(context) {
    const { check, admin } = context;
    await threeExecutions(context);
    for (const value of NO_COUNTS) {
      const count = value as number;
      await refusesAll(context, String(value), {
        "a page": () => admin.queryInstances({ limit: count }),
        deleting: () => admin.deleteInstances({}, { limit: count }),
        "pruning many": () => admin.pruneInstances({}, { limit: count }),
        "keeping of one": () => pruneOne(admin, "a", { keepLast: count }),
        "keeping of many": () => admin.pruneInstances({}, { keepLast: count }),
      });
    }
    await refusesAll(context, "0", {
      "a page of nothing": () => admin.queryInstances({ limit: 0 }),
      "execution 0": () => admin.listExecutions("a", 0),
    });
    const asText = admin.listExecutions("a", "1" as unknown as number);
    await check.rejects(asText, "invalid-input", "an execution that is a text");
    check.equal(await executionIds(admin, "a"), [1, 2, 3], "what is left");
  },

  async "lists of ids hold texts, and statuses are those that there are"(context) {
    const { check, admin } = context;
    await threeExecutions(context);
    for (const value of ["a", [1], [undefined], {}]) {
      const instanceIds = value as string[];
      await refusesAll(context, JSON.stringify(value), {
        deleting: () => admin.deleteInstances({ instanceIds }),
        "pruning many": () => admin.pruneInstances({ instanceIds }, {}),
      });
    }
    const unknown = { status: ["completed"] } as unknown as InstanceFilter;
    await check.rejects(admin.countInstances(unknown), "invalid-input", "a status in small letters");
    const page = { continuation: 5 } as unknown as InstanceQuery;
    await check.rejects(admin.queryInstances(page), "invalid-input", "a continuation that is no text");
    const nothing = undefined as unknown as PruneOptions;
    await check.rejects(pruneOne(admin, "a", nothing), "invalid-input", "pruning without options");
    check.equal(await executionIds(admin, "a"), [1, 2, 3], "what is left");
  },

  async "an execution to read is a whole number"(context) {
    const { provider } = context;
    await createInstance(context, "a");
    for (const value of [0, -1, 0.5, Number.NaN, "1"]) {
      await refusesAll(context, String(value), {
        "a history": () => provider.readHistory("a", value as number),
      });
    }
  },

  async "a tag filter is one of those that there are"(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1));
    const filters = [
      undefined,
      null,
      "any",
      {},
      { kind: "all" },
      { kind: "tags" },
      { kind: "tags", tags: [1] },
    ];
    for (const filter of filters) {
      const tagFilter = filter as unknown as FetchWorkOptions["tagFilter"];
      const call = provider.fetchWorkItem({ lockTimeoutMs: 1_000, pollTimeoutMs: 0, tagFilter });
      await check.rejects(call, "invalid-input", `the filter ${JSON.stringify(filter)}`);
    }
    check.equal((await fetchWork(context))?.attemptCount, 1, "attempts at the activity");
  },

  async "an instance id is a text"(context) {
    const { provider, admin, check } = context;
    await createInstance(context, "a");
    for (const value of [undefined, null, 5, {}, ["a"]]) {
      const id = value as unknown as string;
      await refusesAll(context, JSON.stringify(value) ?? "undefined", {
        "a history": () => provider.readHistory(id),
        "adding to a history": () => provider.appendHistory(id, 1, [started("a")]),
        "a status": () => provider.getInstanceStatus(id),
        "a key": () => provider.getKvValues(id, "k"),
        ...(id !== undefined && {
          "a key that is no text": () => provider.getKvValues("a", id),
          "blocked work": () => admin.listBlocked({ instanceId: id }),
        }),
        "all keys": () => provider.getKvValues(id),
        "the sizes": () => provider.getInstanceStats(id),
        "a message": () => provider.enqueueForOrchestrator(raised(id, "e")),
        "an activity": () => provider.enqueueForWorker(activity(id, 2)),
        "a start": () => provider.enqueueForOrchestrator(startItem(id)),
      });
    }
    check.equal(await provider.getInstanceStatus("unknown"), undefined, "an unknown id is no fault");
    check.equal(await provider.getInstanceStatus(""), undefined, "an empty id is no fault");
  },

  async "an instance id is a text in administration too"(context) {
    const { admin, check } = context;
    await threeExecutions(context);
    for (const value of [undefined, null, 5, {}, ["a"]]) {
      const id = value as unknown as string;
      await refusesAll(context, JSON.stringify(value) ?? "undefined", {
        executions: () => admin.listExecutions(id),
        "the instance": () => admin.getInstanceInfo(id),
        "an execution": () => admin.listExecutions(id, 1),
        deleting: () => admin.deleteInstance(id, { force: true }),
        "deleting several": () => admin.deleteInstances({ instanceIds: [id] }),
        pruning: () => pruneOne(admin, id, {}),
      });
    }
    check.equal(await executionIds(admin, "a"), [1, 2, 3], "what is left");
  },

  async "a lock token is a text"(context) {
    const { provider, lockMs } = context;
    for (const value of [undefined, null, 5, {}]) {
      const token = value as unknown as string;
      await refusesAll(context, String(value), {
        "renewing a turn": () => provider.renewOrchestrationItemLock(token, lockMs),
        "giving back a turn": () => provider.abandonOrchestrationItem(token),
        "completing an activity": () => provider.ackWorkItem(token),
        "renewing an activity": () => provider.renewWorkItemLock(token, lockMs),
        "giving back an activity": () => provider.abandonWorkItem(token),
      });
    }
  },

  async "what the caller changes after the call is not stored"(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const fetched = await mustFetch(context);
    const metadata = { orchestrationName: "Mine", orchestrationVersion: "1.0.0" };
    const historyDelta = [started("a")];
    const acked = provider.ackOrchestrationItem(turnOf(fetched, { historyDelta, metadata }));
    metadata.orchestrationName = "Changed";
    Object.assign(metadata, { status: "Failed", output: "changed" });
    historyDelta.length = 0;
    await acked;
    check.equal(
      await provider.getInstanceStatus("a").then((found) => found?.status),
      "Running",
      "the status",
    );
    check.equal((await provider.readHistory("a")).length, 1, "events");
  },
});

async function refusesAll(
  { check }: CaseContext,
  value: string,
  calls: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  for (const [what, call] of Object.entries(calls)) {
    await check.rejects(call(), "invalid-input", `${what}, ${value}`);
  }
}

/** An instance that pruning would reduce to its last execution. */
async function threeExecutions(context: CaseContext): Promise<void> {
  await createInstance(context, "a");
  for (const next of [2, 3]) await continueAsNew(context, "a", next);
}
