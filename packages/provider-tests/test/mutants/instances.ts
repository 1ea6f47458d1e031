/** Faults in executions, key-value entries, custom status, reads and administration. */
import { type Mutant, mutantsIn } from "./mutant.ts";

export const instanceMutants: readonly Mutant[] = [
  ...mutantsIn("operations/store-execution.ts", {
    "adds the tags of a turn to those before": {
      find: "known.tags = { ...tags };",
      replace: "known.tags = { ...known.tags, ...tags };",
    },
    "forgets the tags in a turn that has none": {
      find: "if (known !== undefined && tags !== undefined) known.tags = { ...tags };",
      replace: "if (known !== undefined) known.tags = { ...tags };",
    },
    "keeps the tags of the first turn": {
      find: "if (known !== undefined && tags !== undefined)",
      replace: 'if (known !== undefined && tags !== undefined && known.name === "")',
    },
    "sets no tags in the turn that names the instance": {
      find: "    tags: { ...tags },\n",
      replace: "    tags: {},\n",
    },
  }),
  ...mutantsIn("operations/store-execution.ts", {
    "brings an instance into being without a version": {
      find: "if (name === undefined || version === undefined) return;",
      replace: "if (name === undefined) return;",
    },
    "does not update name and version": { find: "    known.version = version;\n", replace: "" },
    "changes the time of an ended instance that discards a message": {
      find: " && !onlyDiscards(status, content.historyDelta, content.metadata)",
      replace: "",
    },
    "keeps the time of an ended instance that is changed": {
      find: "onlyDiscards(status, content.historyDelta, content.metadata)",
      replace: "onlyDiscards(status, [], content.metadata)",
    },
    "ignores the version to pin": {
      find: "execution.pinnedVersion = metadata.pinnedVersion;",
      replace: "execution.pinnedVersion ??= metadata.pinnedVersion;",
    },
    "keeps an old output where a status comes without one": {
      find: "metadata.output ?? null",
      replace: "metadata.output ?? execution.output",
    },
  }),
  ...mutantsIn("store.ts", {
    "lets a new execution inherit the status of the last": {
      find: 'status: "Running",',
      replace: 'status: [...executions.values()].at(-1)?.status ?? "Running",',
    },
    "lets a new execution inherit the version that the last was pinned to": {
      find: "pinnedVersion: undefined,",
      replace: "pinnedVersion: [...executions.values()].at(-1)?.pinnedVersion,",
    },
    "takes the execution that was written last for the current one": {
      find: "return Math.max(0, ...(store.executions.get(instanceId)?.keys() ?? []));",
      replace: "return Math.max(0, [...(store.executions.get(instanceId)?.keys() ?? [])].at(0) ?? 0);",
    },
  }),
  ...mutantsIn("operations/store-kv.ts", {
    "forgets the tombstone of a cleared key": {
      find: "    current.set(event.key, tombstone);\n",
      replace: "    current.delete(event.key);\n",
    },
    "clears the keys of the running execution only": {
      find: "[...current.keys(), ...finished.keys()]",
      replace: "[...current.keys()]",
    },
    "merges key-value entries after every turn": {
      find: "if (executionEnds) merge(layers);",
      replace: "merge(layers);\n  void executionEnds;",
    },
    "never merges key-value entries": {
      find: "if (executionEnds) merge(layers);",
      replace: "void executionEnds;\n  void merge;",
    },
    "takes an empty value for none": {
      find: "    if (value === null) merged.delete(key);",
      replace: "    if (!value) merged.delete(key);",
    },
  }),
  ...mutantsIn("operations/store-custom-status.ts", {
    "takes the first custom status of a turn": {
      find: "historyDelta.findLast(",
      replace: "historyDelta.find(",
    },
    "does not count a cleared custom status as a change": {
      find: "version: version + 1",
      replace: "version: last.status === null ? version : version + 1",
    },
  }),
  ...mutantsIn("operations/read-instance.ts", {
    "counts characters instead of bytes": {
      find: "bytes += utf8Bytes(text)",
      replace: "bytes += Math.min(utf8Bytes(text), text.length)",
    },
  }),
  ...mutantsIn("operations/read-history.ts", {
    "shortens a history by what cannot be decoded": {
      find: "readEvents(execution),",
      replace: "{ try { return readEvents(execution); } catch { return []; } },",
    },
    "reads the first execution by default": {
      find: "? currentExecutionId(store, instanceId)",
      replace: "? Math.min(1, currentExecutionId(store, instanceId))",
    },
  }),
  ...mutantsIn("codec.ts", {
    "orders events as they were written": { find: ".sort(([a], [b]) => a - b)", replace: "" },
  }),
  ...mutantsIn("admin/delete-instances.ts", {
    "deletes what is still running": {
      find: "if (!force && running !== undefined) throw ProviderError.stillRunning(operation, running);",
      replace: "void force;\n  void running;",
    },
    "takes running instances for finished ones in a bulk delete": {
      find: "runningOf(store, ids) === undefined",
      replace: "ids.length > 1 || runningOf(store, ids) !== undefined",
    },
    "deletes by filter a root of which a child is still running": {
      find: "runningOf(store, ids) === undefined",
      replace: "runningOf(store, ids.slice(-1)) === undefined",
    },
    "deletes children without their root": {
      find: "if (parentInstanceId !== undefined && store.instances.has(parentInstanceId))",
      replace: "if (parentInstanceId === null)",
    },
    "leaves activities of a deleted instance in the queue": {
      find: "  store.activities = activities;\n",
      replace: "",
    },
    "leaves messages of a deleted instance in the queue": {
      find: "  store.messages = messages;\n",
      replace: "",
    },
    "leaves the lock of a deleted instance": {
      find: "instanceLocks, blockedInstances]",
      replace: "...(instanceLocks.size < 0 ? [instanceLocks] : []), blockedInstances]",
    },
    "leaves the key-value entries of a deleted instance": { find: "    kv,", replace: "" },
    "deletes no child whose parent does not exist": {
      find: "if (parentInstanceId !== undefined && store.instances.has(parentInstanceId))",
      replace: "if (parentInstanceId !== undefined)",
    },
    "keeps the queued starts of a deleted parent's children": {
      find: "isKept(row) && !isChildStart(row) && !unbegun",
      replace: "isKept(row) && !unbegun",
    },
    "keeps what was sent to the children of a deleted parent that have not begun": {
      find: "!isChildStart(row) && !unbegun.has(row.instanceId)",
      replace: "!isChildStart(row)",
    },
    "remembers the ids of messages to the children of a deleted parent that have not begun": {
      find: "for (const child of unbegun) for (const table of ofQueue)",
      replace: "for (const child of unbegun) for (const table of ofQueue.slice(1))",
    },
    "lets a child begin whose first turn runs when its parent is deleted": {
      find: "for (const child of unbegun) for (const table of ofQueue)",
      replace: "for (const child of unbegun) for (const table of ofQueue.slice(0, 1))",
    },
    "deletes what was sent to a child that another parent starts too": {
      find: '.kind === "StartOrchestration") unbegun',
      replace: '.kind === "ContinueAsNew") unbegun',
    },
  }),
  ...mutantsIn("admin/find-instances.ts", {
    "ignores the limit of a bulk delete": { find: ".slice(0, limit)", replace: "" },
  }),
  ...mutantsIn("admin/queries/matches.ts", {
    "ignores the date of a bulk delete": {
      find: "(completedAtMs ?? Number.POSITIVE_INFINITY) < filter.completedBeforeMs",
      replace: "(completedAtMs ?? 0) > 0",
    },
    "takes an empty list of ids for all": {
      find: "isOneOf(instance.instanceId, filter.instanceIds)",
      replace: "(filter.instanceIds?.length === 0 || isOneOf(instance.instanceId, filter.instanceIds))",
    },
  }),
  ...mutantsIn("admin/prune-instances.ts", {
    "ignores the date of a prune": { find: " || completedAtMs >= completedBeforeMs", replace: "" },
    "keeps one execution less than asked": {
      find: "Math.max(1, keepLast)",
      replace: "Math.max(1, keepLast - 1)",
    },
  }),
  ...mutantsIn("admin/inspect.ts", {
    "counts locked messages as waiting": {
      find: "visible.filter(({ instanceId }) => !isInstanceLocked(store, instanceId, nowMs)).length",
      replace: 'visible.length + 0 * Number(isInstanceLocked(store, "", nowMs))',
    },
  }),
  ...mutantsIn("set-aside.ts", {
    "lets an undecodable message spoil the whole batch": {
      find: "    setAside(store, row, (error as Error).message);\n    return false;",
      replace: "    void setAside;\n    throw error;",
    },
  }),
];
