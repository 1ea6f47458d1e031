/** Faults in lists of instances, queue rows and processes. */
import type { Mutant } from "./mutant.ts";

const INSTANCES = "admin/queries/query-instances.ts";
const MATCHES = "admin/queries/matches.ts";
const WORK = "admin/queries/list-work.ts";
const WORKERS = "admin/queries/workers.ts";
const LETTERS = "admin/queries/dead-letters.ts";

export const queryMutants: readonly Mutant[] = [
  {
    name: "repeats the last instance of a page on the next one",
    file: INSTANCES,
    find: "compare(place, after as readonly number[]) > 0",
    replace: "compare(place, after as readonly number[]) >= 0",
  },
  {
    name: "lists instances of one time once for all",
    file: INSTANCES,
    find: "return aMs - bMs || a - b;",
    replace: "return aMs - bMs;",
  },
  {
    name: "takes the continuation of another filter",
    file: INSTANCES,
    find: "const asked = { filter, order };",
    replace: "const asked = { order };",
  },
  {
    name: "lists the oldest instances first",
    file: INSTANCES,
    find: '[order === "updated-desc" ? -summary.updatedAtMs : -summary.createdAtMs, -number]',
    replace: '[order === "updated-desc" ? -summary.updatedAtMs : summary.createdAtMs, -number]',
  },
  {
    name: "orders by creation where updates are asked for",
    file: INSTANCES,
    find: "-summary.updatedAtMs",
    replace: "-summary.createdAtMs",
  },
  {
    name: "lists large outputs whole",
    file: INSTANCES,
    find: "...withoutLargeOutput(info)",
    replace: "...(void withoutLargeOutput, info)",
  },
  {
    name: "shows what was blocked last",
    file: INSTANCES,
    find: "if (known === undefined || blocked.sinceMs < known.sinceMs)",
    replace: "if (known === undefined || blocked.sinceMs > known.sinceMs)",
  },
  {
    name: "takes an empty list of names for no condition",
    file: MATCHES,
    find: "return wanted === undefined || wanted.includes(value);",
    replace: "return wanted === undefined || wanted.length === 0 || wanted.includes(value);",
  },
  {
    name: "includes the end of a time range",
    file: MATCHES,
    find: "ms < toMs",
    replace: "ms <= toMs",
  },
  {
    name: "looks for the text of an error in results",
    file: MATCHES,
    find: 'storedStatus(status) === "Failed" && message',
    replace: "status !== undefined && message",
  },
  {
    name: "has forgotten the time of a delayed start",
    file: "operations/store-execution.ts",
    find: "if (started?.start_at_ms !== undefined) execution",
    replace: "if (started?.start_at_ms === 0) execution",
  },
  {
    name: "shows a delayed start as scheduled after its time",
    file: "admin/inspect.ts",
    find: "listedStatus(state, store.clock.now())",
    replace: "listedStatus(state, 0)",
  },
  {
    name: "ignores the condition that nothing is blocked",
    file: MATCHES,
    find: "return wanted === undefined || wanted === (value !== undefined);",
    replace: "return wanted !== true || value !== undefined;",
  },
  {
    name: "finds an instance that has one of several tags",
    file: MATCHES,
    find: "meetsTags(tags, filter.tags)",
    replace:
      "Object.entries(filter.tags ?? { none: 0 }).some(([key, each]) => filter.tags === undefined || meetsTags(tags, { [key]: each }))",
  },
  {
    name: "compares the texts of tags",
    file: MATCHES,
    find: "meetsTags(tags, filter.tags)",
    replace:
      "(meetsTags(tags, filter.tags) || Object.entries(filter.tags ?? {}).every(([key, each]) => String(tags[key]) === String(each)))",
  },
  {
    name: "ignores the condition on tags",
    file: MATCHES,
    find: "meetsTags(tags, filter.tags)",
    replace: "(void meetsTags, true)",
  },
  {
    name: "calls a locked row overdue",
    file: WORK,
    find: "const isFree = row.lockedUntilMs === undefined && row.suspended === undefined && row.limit === undefined;",
    replace: "const isFree = row.suspended === undefined && row.limit === undefined;",
  },
  {
    name: "lists a process that is dead",
    file: WORKERS,
    find: "return lastSeenAtMs <= store.clock.now() - WORKER_LISTED_MS;",
    replace: "return lastSeenAtMs <= store.clock.now() - 10 * WORKER_LISTED_MS;",
  },
  {
    name: "puts a dead letter back and keeps it",
    file: LETTERS,
    find: "  store.deadLetters.delete(id);\n",
    replace: '  if (how === "drop") store.deadLetters.delete(id);\n',
  },
  {
    name: "drops a dead letter that is put back",
    file: LETTERS,
    find: "if (dead.message !== undefined) store.messages.push(",
    replace: 'if (dead.message !== undefined && id === "") store.messages.push(',
  },
];
