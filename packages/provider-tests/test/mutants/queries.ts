/** Faults in lists of instances, queue rows and processes. */
import { type Mutant, mutantsIn } from "./mutant.ts";

export const queryMutants: readonly Mutant[] = [
  ...mutantsIn("admin/queries/query-instances.ts", {
    "repeats the last instance of a page on the next one": {
      find: "compare(place, after as readonly number[]) > 0",
      replace: "compare(place, after as readonly number[]) >= 0",
    },
    "lists instances of one time once for all": {
      find: "return aMs - bMs || a - b;",
      replace: "return aMs - bMs;",
    },
    "takes the continuation of another filter": {
      find: "const asked = { filter, order };",
      replace: "const asked = { order };",
    },
    "lists the oldest instances first": {
      find: '[order === "updated-desc" ? -summary.updatedAtMs : -summary.createdAtMs, -number]',
      replace: '[order === "updated-desc" ? -summary.updatedAtMs : summary.createdAtMs, -number]',
    },
    "orders by creation where updates are asked for": {
      find: "-summary.updatedAtMs",
      replace: "-summary.createdAtMs",
    },
    "lists large outputs whole": {
      find: "...withoutLargeOutput(info)",
      replace: "...(void withoutLargeOutput, info)",
    },
    "shows what was blocked last": {
      find: "if (known === undefined || blocked.sinceMs < known.sinceMs)",
      replace: "if (known === undefined || blocked.sinceMs > known.sinceMs)",
    },
  }),
  ...mutantsIn("admin/queries/matches.ts", {
    "takes an empty list of names for no condition": {
      find: "return wanted === undefined || wanted.includes(value);",
      replace: "return wanted === undefined || wanted.length === 0 || wanted.includes(value);",
    },
    "includes the end of a time range": { find: "ms < toMs", replace: "ms <= toMs" },
    "looks for the text of an error in results": {
      find: 'storedStatus(status) === "Failed" && message',
      replace: "status !== undefined && message",
    },
    "ignores the condition that nothing is blocked": {
      find: "return wanted === undefined || wanted === (value !== undefined);",
      replace: "return wanted !== true || value !== undefined;",
    },
    "finds an instance that has one of several tags": {
      find: "meetsTags(tags, filter.tags)",
      replace:
        "Object.entries(filter.tags ?? { none: 0 }).some(([key, each]) => filter.tags === undefined || meetsTags(tags, { [key]: each }))",
    },
    "compares the texts of tags": {
      find: "meetsTags(tags, filter.tags)",
      replace:
        "(meetsTags(tags, filter.tags) || Object.entries(filter.tags ?? {}).every(([key, each]) => String(tags[key]) === String(each)))",
    },
    "ignores the condition on tags": {
      find: "meetsTags(tags, filter.tags)",
      replace: "(void meetsTags, true)",
    },
  }),
  ...mutantsIn("operations/store-execution.ts", {
    "has forgotten the time of a delayed start": {
      find: "if (started?.start_at_ms !== undefined) execution",
      replace: "if (started?.start_at_ms === 0) execution",
    },
  }),
  ...mutantsIn("admin/inspect.ts", {
    "shows a delayed start as scheduled after its time": {
      find: "listedStatus(state, store.clock.now())",
      replace: "listedStatus(state, 0)",
    },
  }),
  ...mutantsIn("admin/queries/list-work.ts", {
    "calls a locked row overdue": {
      find: "const isFree = row.lockedUntilMs === undefined && row.suspended === undefined && row.limit === undefined;",
      replace: "const isFree = row.suspended === undefined && row.limit === undefined;",
    },
  }),
  ...mutantsIn("admin/queries/workers.ts", {
    "lists a process that is dead": {
      find: "return lastSeenAtMs <= store.clock.now() - WORKER_LISTED_MS;",
      replace: "return lastSeenAtMs <= store.clock.now() - 10 * WORKER_LISTED_MS;",
    },
  }),
  ...mutantsIn("admin/queries/dead-letters.ts", {
    "puts a dead letter back and keeps it": {
      find: "  store.deadLetters.delete(id);\n",
      replace: '  if (how === "drop") store.deadLetters.delete(id);\n',
    },
    "drops a dead letter that is put back": {
      find: "if (dead.message !== undefined) store.messages.push(",
      replace: 'if (dead.message !== undefined && id === "") store.messages.push(',
    },
  }),
];
