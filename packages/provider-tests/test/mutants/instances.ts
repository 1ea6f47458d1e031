/** Faults in executions, key-value entries, custom status, reads and administration. */
import type { Mutant } from "./mutant.ts";

const EXECUTION = "operations/store-execution.ts";
const KV = "operations/store-kv.ts";
const DELETE = "admin/delete-instances.ts";
const FIND = "admin/find-instances.ts";
const PRUNE = "admin/prune-instances.ts";
const INSPECT = "admin/inspect.ts";
const READ = "operations/read-instance.ts";
const MATCHES = "admin/queries/matches.ts";

export const instanceMutants: readonly Mutant[] = [
  {
    name: "adds the tags of a turn to those before",
    file: "operations/store-execution.ts",
    find: "known.tags = { ...tags };",
    replace: "known.tags = { ...known.tags, ...tags };",
  },
  {
    name: "forgets the tags in a turn that has none",
    file: "operations/store-execution.ts",
    find: "if (known !== undefined && tags !== undefined) known.tags = { ...tags };",
    replace: "if (known !== undefined) known.tags = { ...tags };",
  },
  {
    name: "keeps the tags of the first turn",
    file: "operations/store-execution.ts",
    find: "if (known !== undefined && tags !== undefined)",
    replace: 'if (known !== undefined && tags !== undefined && known.name === "")',
  },
  {
    name: "sets no tags in the turn that names the instance",
    file: "operations/store-execution.ts",
    find: "    tags: { ...tags },\n",
    replace: "    tags: {},\n",
  },
  {
    name: "brings an instance into being without a version",
    file: EXECUTION,
    find: "if (name === undefined || version === undefined) return;",
    replace: "if (name === undefined) return;",
  },
  {
    name: "does not update name and version",
    file: EXECUTION,
    find: "    known.version = version;\n",
    replace: "",
  },
  {
    name: "changes the time of an ended instance that discards a message",
    file: EXECUTION,
    find: " && !onlyDiscards(status, content.historyDelta, content.metadata)",
    replace: "",
  },
  {
    name: "keeps the time of an ended instance that is changed",
    file: EXECUTION,
    find: "onlyDiscards(status, content.historyDelta, content.metadata)",
    replace: "onlyDiscards(status, [], content.metadata)",
  },
  {
    name: "ignores the version to pin",
    file: EXECUTION,
    find: "execution.pinnedVersion = metadata.pinnedVersion;",
    replace: "execution.pinnedVersion ??= metadata.pinnedVersion;",
  },
  {
    name: "keeps an old output where a status comes without one",
    file: EXECUTION,
    find: "metadata.output ?? null",
    replace: "metadata.output ?? execution.output",
  },
  {
    name: "lets a new execution inherit the status of the last",
    file: "store.ts",
    find: 'status: "Running",',
    replace: 'status: [...executions.values()].at(-1)?.status ?? "Running",',
  },
  {
    name: "lets a new execution inherit the version that the last was pinned to",
    file: "store.ts",
    find: "pinnedVersion: undefined,",
    replace: "pinnedVersion: [...executions.values()].at(-1)?.pinnedVersion,",
  },
  {
    name: "takes the execution that was written last for the current one",
    file: "store.ts",
    find: "return Math.max(0, ...(store.executions.get(instanceId)?.keys() ?? []));",
    replace: "return Math.max(0, [...(store.executions.get(instanceId)?.keys() ?? [])].at(0) ?? 0);",
  },
  {
    name: "forgets the tombstone of a cleared key",
    file: KV,
    find: "    current.set(event.key, tombstone);\n",
    replace: "    current.delete(event.key);\n",
  },
  {
    name: "clears the keys of the running execution only",
    file: KV,
    find: "[...current.keys(), ...finished.keys()]",
    replace: "[...current.keys()]",
  },
  {
    name: "merges key-value entries after every turn",
    file: KV,
    find: "if (executionEnds) merge(layers);",
    replace: "merge(layers);\n  void executionEnds;",
  },
  {
    name: "never merges key-value entries",
    file: KV,
    find: "if (executionEnds) merge(layers);",
    replace: "void executionEnds;\n  void merge;",
  },
  {
    name: "takes an empty value for none",
    file: KV,
    find: "    if (value === null) merged.delete(key);",
    replace: "    if (!value) merged.delete(key);",
  },
  {
    name: "takes the first custom status of a turn",
    file: "operations/store-custom-status.ts",
    find: "historyDelta.findLast(",
    replace: "historyDelta.find(",
  },
  {
    name: "does not count a cleared custom status as a change",
    file: "operations/store-custom-status.ts",
    find: "version: version + 1",
    replace: "version: last.status === null ? version : version + 1",
  },
  {
    name: "counts characters instead of bytes",
    file: READ,
    find: "bytes += utf8Bytes(text)",
    replace: "bytes += Math.min(utf8Bytes(text), text.length)",
  },
  {
    name: "shortens a history by what cannot be decoded",
    file: "operations/read-history.ts",
    find: "readEvents(execution),",
    replace: "{ try { return readEvents(execution); } catch { return []; } },",
  },
  {
    name: "reads the first execution by default",
    file: "operations/read-history.ts",
    find: "? currentExecutionId(store, instanceId)",
    replace: "? Math.min(1, currentExecutionId(store, instanceId))",
  },
  {
    name: "orders events as they were written",
    file: "codec.ts",
    find: ".sort(([a], [b]) => a - b)",
    replace: "",
  },
  {
    name: "deletes what is still running",
    file: DELETE,
    find: "if (!force && !hasEnded(statusOf(store, id))) throw ProviderError.stillRunning(operation, id);",
    replace: "void force;\n    void statusOf;\n    void hasEnded;",
  },
  {
    name: "deletes children without their root",
    file: DELETE,
    find: "if (parentInstanceId !== undefined && store.instances.has(parentInstanceId))",
    replace: "if (parentInstanceId === null)",
  },
  {
    name: "leaves activities of a deleted instance in the queue",
    file: DELETE,
    find: "  store.activities = activities;\n",
    replace: "",
  },
  {
    name: "leaves messages of a deleted instance in the queue",
    file: DELETE,
    find: "  store.messages = messages;\n",
    replace: "",
  },
  {
    name: "leaves the lock of a deleted instance",
    file: DELETE,
    find: "instanceLocks, blockedInstances]",
    replace: "...(instanceLocks.size < 0 ? [instanceLocks] : []), blockedInstances]",
  },
  {
    name: "leaves the key-value entries of a deleted instance",
    file: DELETE,
    find: "    kv,",
    replace: "",
  },
  {
    name: "takes running instances for finished ones in a bulk delete",
    file: FIND,
    find: "hasEnded(statusOf(store, id))",
    replace: "(void hasEnded, statusOf(store, id).length > 0)",
  },
  {
    name: "deletes no child whose parent does not exist",
    file: DELETE,
    find: "if (parentInstanceId !== undefined && store.instances.has(parentInstanceId))",
    replace: "if (parentInstanceId !== undefined)",
  },
  {
    name: "keeps the queued starts of a deleted parent's children",
    file: DELETE,
    find: "isKept(row) && !isChildStart(row) && !unbegun",
    replace: "isKept(row) && !unbegun",
  },
  {
    name: "keeps what was sent to the children of a deleted parent that have not begun",
    file: DELETE,
    find: "!isChildStart(row) && !unbegun.has(row.instanceId)",
    replace: "!isChildStart(row)",
  },
  {
    name: "remembers the ids of messages to the children of a deleted parent that have not begun",
    file: DELETE,
    find: "for (const child of unbegun) for (const table of ofQueue)",
    replace: "for (const child of unbegun) for (const table of ofQueue.slice(1))",
  },
  {
    name: "lets a child begin whose first turn runs when its parent is deleted",
    file: DELETE,
    find: "for (const child of unbegun) for (const table of ofQueue)",
    replace: "for (const child of unbegun) for (const table of ofQueue.slice(0, 1))",
  },
  {
    name: "deletes what was sent to a child that another parent starts too",
    file: DELETE,
    find: '.kind === "StartOrchestration") unbegun',
    replace: '.kind === "ContinueAsNew") unbegun',
  },
  {
    name: "ignores the date of a bulk delete",
    file: MATCHES,
    find: "(completedAtMs ?? Number.POSITIVE_INFINITY) < filter.completedBeforeMs",
    replace: "(completedAtMs ?? 0) > 0",
  },
  {
    name: "ignores the limit of a bulk delete",
    file: FIND,
    find: ".slice(0, limit)",
    replace: "",
  },
  {
    name: "takes an empty list of ids for all",
    file: MATCHES,
    find: "isOneOf(instance.instanceId, filter.instanceIds)",
    replace: "(filter.instanceIds?.length === 0 || isOneOf(instance.instanceId, filter.instanceIds))",
  },
  {
    name: "ignores the date of a prune",
    file: PRUNE,
    find: " || completedAtMs >= completedBeforeMs",
    replace: "",
  },
  {
    name: "keeps one execution less than asked",
    file: PRUNE,
    find: "Math.max(1, keepLast)",
    replace: "Math.max(1, keepLast - 1)",
  },
  {
    name: "counts locked messages as waiting",
    file: INSPECT,
    find: "visible.filter(({ instanceId }) => !isInstanceLocked(store, instanceId, nowMs)).length",
    replace: 'visible.length + 0 * Number(isInstanceLocked(store, "", nowMs))',
  },
  {
    name: "lets an undecodable message spoil the whole batch",
    file: "set-aside.ts",
    find: "    setAside(store, row, (error as Error).message);\n    return false;",
    replace: "    void setAside;\n    throw error;",
  },
];
