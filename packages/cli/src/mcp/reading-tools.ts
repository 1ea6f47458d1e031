/** Tools that look. */
import type { CountKey, HistoryEvent } from "@duroxide-ts/core";
import { ProviderError } from "@duroxide-ts/core/client";
import { readWaitingStart } from "@duroxide-ts/core/operate";
import { CHECKS } from "../doctor/checks.ts";
import { findingValue } from "../doctor/finding.ts";
import { readInstance } from "../instances/read-instance.ts";
import { readLimitsIfAny } from "../instances/read-limits.ts";
import { readWork } from "../instances/read-work.ts";
import { FILTER, filterOf } from "./instance-filter.ts";
import { limitOf, optionalText, type ReadingTool, textOf } from "./tool.ts";

const TEXT = { type: "string" };
const LIMIT = { type: "integer", minimum: 1, maximum: 200 };
const ID = { type: "string", description: "the id of the instance" };
const NAME = { type: "string", description: "the name of the schedule" };
const MOST_TIMES = 10;
/** Length of a search, in characters: each word is compared with all words of the pages. */
const MOST_QUERY = 1_000;

export const READING_TOOLS: readonly ReadingTool[] = [
  {
    name: "list_instances",
    description: "Instances that match, newest first, with why they failed or are blocked.",
    properties: { ...FILTER, limit: LIMIT },
    call: async ({ client, shown }, given, nowMs) => {
      const limit = limitOf(given, 200, 20);
      const { instances } = await client.admin.query({ filter: filterOf(given, nowMs), limit });
      return instances.map((instance) => shown.summary(instance));
    },
  },
  {
    name: "count_instances",
    description: "The number of instances that match, by status, name or version.",
    properties: {
      ...FILTER,
      by: { type: "array", items: { type: "string", enum: ["status", "name", "version"] } },
    },
    call: async ({ client }, given, nowMs) => {
      const { by = [] } = given as { readonly by?: readonly CountKey[] };
      const { counts } = await client.admin.count(filterOf(given, nowMs), by);
      return counts;
    },
  },
  {
    name: "show_instance",
    description:
      "One instance: steps with their attempts, what it waits for, errors, status, entries, children.",
    properties: { id: ID },
    required: ["id"],
    call: async (store, given, nowMs) => {
      const id = textOf(given, "id");
      try {
        return store.shown.view(await readInstance(store, id, { executionId: undefined, tree: false }));
      } catch (error) {
        const start = ProviderError.is(error, "instance-not-found")
          ? await readWaitingStart(store.client, id, nowMs)
          : undefined;
        if (start === undefined) throw error;
        return { ...start, state: "not-begun" };
      }
    },
  },
  {
    name: "get_history",
    description: "The last events of an instance.",
    properties: { id: ID, limit: LIMIT },
    required: ["id"],
    call: async ({ client, shown }, given) => {
      const limit = limitOf(given, 200, 100);
      const events: readonly HistoryEvent[] = await client.admin.history(textOf(given, "id"));
      return { eventCount: events.length, events: events.slice(-limit).map((event) => shown.event(event)) };
    },
  },
  {
    name: "show_streams",
    description: "The streams of an instance, and the last progress of its steps.",
    properties: { id: ID },
    required: ["id"],
    call: async ({ client }, given) => {
      const handle = client.handle("any", textOf(given, "id"));
      return { streams: await handle.streams(), progress: await handle.progress() };
    },
  },
  {
    name: "read_stream",
    description: "Values of a stream of an instance, from an offset on, with their steps and attempts.",
    properties: { id: ID, stream: TEXT, from: { type: "integer", minimum: 0 }, limit: LIMIT },
    required: ["id", "stream"],
    call: async ({ client }, given) => {
      const { from = 0 } = given;
      const limit = limitOf(given, 200, 100);
      const items = [];
      const reading = client.handle("any", textOf(given, "id")).stream(textOf(given, "stream"), {
        from: Number(from),
        wait: false,
      });
      for await (const item of reading) if (items.push(item) >= limit) break;
      return items;
    },
  },
  {
    name: "list_work",
    description: "Rows of both queues, with their locks.",
    properties: { instanceId: TEXT, tag: TEXT, limit: LIMIT },
    call: async ({ client }, given) => {
      const instanceId = optionalText(given, "instanceId");
      const tag = optionalText(given, "tag");
      const query = { ...(instanceId !== undefined && { instanceId }), ...(tag !== undefined && { tag }) };
      return readWork(client.admin, query, limitOf(given, 200, 50));
    },
  },
  {
    name: "search_docs",
    description:
      "Searches the documentation of duroxide: skill (how to write orchestrations), guide, operating, errors, guarantees, Cosmos DB, reference. Answers with sections, best first.",
    properties: { query: { ...TEXT, description: "a few words" }, limit: { ...LIMIT, maximum: 20 } },
    required: ["query"],
    call: async (_store, given) => {
      // The library and the index are of use to this tool only.
      const { documentSearch } = await import("../documents/search.ts");
      const query = textOf(given, "query");
      if (query.length > MOST_QUERY) throw new TypeError(`query has more than ${MOST_QUERY} characters`);
      return documentSearch()(query, limitOf(given, 20, 5));
    },
  },
  {
    name: "list_schedules",
    description: "All schedules: rules, next and last due times, pauses, and who changed them.",
    properties: {},
    call: async ({ client }) => client.schedules.list(),
  },
  {
    name: "show_schedule",
    description: "One schedule with its next due times and its last runs.",
    properties: { name: NAME },
    required: ["name"],
    call: async ({ client, shown }, given) => {
      const name = textOf(given, "name");
      const [next, { instances }, schedule] = await Promise.all([
        client.schedules.next(name, MOST_TIMES),
        client.schedules.runs(name, { limit: MOST_TIMES }),
        client.schedules.get(name),
      ]);
      return { ...schedule, next, runs: instances.map((run) => shown.summary(run)) };
    },
  },
  {
    name: "list_workers",
    description: "The processes that reported themselves within the last two minutes.",
    properties: {},
    call: async ({ client }) => client.admin.workers(),
  },
  {
    name: "list_limits",
    description: "Limits on concurrency and rate by key, with what runs and waits under each.",
    properties: {},
    call: async ({ client }) => readLimitsIfAny(client),
  },
  {
    name: "doctor",
    description:
      "What is wrong with the store: blocked or overdue work, missing handlers, dead letters, sizes.",
    properties: {},
    call: async (store, _given, nowMs) => {
      const examined = { store, workers: await store.client.admin.workers(), nowMs };
      const findings = [];
      for (const check of CHECKS) findings.push(...(await check(examined)));
      return findings.map(findingValue);
    },
  },
];
