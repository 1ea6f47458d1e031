/** Faults in changes by hand. */
import type { Mutant } from "./mutant.ts";

const REVISE = "operations/revise-instance.ts";

export const revisionMutants: readonly Mutant[] = [
  {
    name: "changes another execution than the caller has read",
    file: REVISE,
    find: "if (Math.max(1, currentExecutionId(store, instanceId)) !== executionId) return false;",
    replace: "if (Math.max(1, currentExecutionId(store, instanceId)) > executionId) return false;",
  },
  {
    name: "changes an instance of another status",
    file: REVISE,
    find: "if (statusOf(store, instanceId) !== status) return false;",
    replace: "",
  },
  {
    name: "changes an instance that went on",
    file: REVISE,
    find: "return lastEventId === undefined || Math.max(0, ...ids) === lastEventId;",
    replace: "return lastEventId === undefined || Math.max(0, ...ids) >= lastEventId;",
  },
  {
    name: "changes an instance that lost events",
    file: REVISE,
    find: "return lastEventId === undefined || Math.max(0, ...ids) === lastEventId;",
    replace: "return lastEventId === undefined || Math.max(0, ...ids) <= lastEventId;",
  },
  {
    name: "stores an event of a change twice",
    file: REVISE,
    find: "if (prepared !== undefined) refuseTurn(store, OPERATION, instanceId, prepared);",
    replace: "",
  },
  {
    name: "keeps the tag of the history through a change",
    file: REVISE,
    find: "storeTurn(store, instanceId, store.random.uuid(), prepared)",
    replace: 'storeTurn(store, instanceId, store.historyTags.get(instanceId) ?? "", prepared)',
  },
  {
    name: "lets a turn go on that runs on changed history",
    file: REVISE,
    find: "if (prepared !== undefined) storeTurn(store, instanceId, store.random.uuid(), prepared);",
    replace:
      "const lock = store.instanceLocks.get(instanceId);\n  if (prepared !== undefined) storeTurn(store, instanceId, store.random.uuid(), prepared);\n  if (lock !== undefined) store.instanceLocks.set(instanceId, lock);",
  },
  {
    name: "replaces only the key-values that it is given",
    file: REVISE,
    find: "finished: new Map(keyValues), current: new Map()",
    replace:
      "finished: new Map([...(store.kv.get(instanceId)?.finished ?? []), ...keyValues]), current: new Map()",
  },
  {
    name: "never ends a suspension",
    file: REVISE,
    find: "if (suspended === null) store.suspended.delete(instanceId);",
    replace: 'if (suspended === null) return { kind: "revised" };',
  },
  {
    name: "hands out suspended instances",
    file: "operations/fetch-orchestration-item.ts",
    find: "!store.suspended.has(id) &&",
    replace: "id !== undefined &&",
  },
  {
    name: "stores fused turns of suspended instances",
    file: "operations/ack-fused-turn.ts",
    find: "!store.suspended.has(instanceId) &&",
    replace: "instanceId !== undefined &&",
  },
  {
    name: "leaves the marker to the next instance of the same id",
    file: "admin/delete-instances.ts",
    find: "    suspended,",
    replace: "",
  },
];
