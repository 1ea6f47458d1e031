/** Faults in changes by hand. */
import { type Mutant, mutantsIn } from "./mutant.ts";

export const revisionMutants: readonly Mutant[] = [
  ...mutantsIn("operations/revise-instance.ts", {
    "changes another execution than the caller has read": {
      find: "if (Math.max(1, currentExecutionId(store, instanceId)) !== executionId) return false;",
      replace: "if (Math.max(1, currentExecutionId(store, instanceId)) > executionId) return false;",
    },
    "changes an instance of another status": {
      find: "if (statusOf(store, instanceId) !== status) return false;",
      replace: "",
    },
    "changes an instance that went on": {
      find: "return lastEventId === undefined || Math.max(0, ...ids) === lastEventId;",
      replace: "return lastEventId === undefined || Math.max(0, ...ids) >= lastEventId;",
    },
    "changes an instance that lost events": {
      find: "return lastEventId === undefined || Math.max(0, ...ids) === lastEventId;",
      replace: "return lastEventId === undefined || Math.max(0, ...ids) <= lastEventId;",
    },
    "stores an event of a change twice": {
      find: "if (prepared !== undefined) refuseTurn(store, OPERATION, instanceId, prepared);",
      replace: "",
    },
    "keeps the tag of the history through a change": {
      find: "storeTurn(store, instanceId, store.random.uuid(), prepared)",
      replace: 'storeTurn(store, instanceId, store.historyTags.get(instanceId) ?? "", prepared)',
    },
    "lets a turn go on that runs on changed history": {
      find: "if (prepared !== undefined) storeTurn(store, instanceId, store.random.uuid(), prepared);",
      replace:
        "const lock = store.instanceLocks.get(instanceId);\n  if (prepared !== undefined) storeTurn(store, instanceId, store.random.uuid(), prepared);\n  if (lock !== undefined) store.instanceLocks.set(instanceId, lock);",
    },
    "replaces only the key-values that it is given": {
      find: "finished: new Map(keyValues), current: new Map()",
      replace:
        "finished: new Map([...(store.kv.get(instanceId)?.finished ?? []), ...keyValues]), current: new Map()",
    },
    "never ends a suspension": {
      find: "if (suspended === null) store.suspended.delete(instanceId);",
      replace: 'if (suspended === null) return { kind: "revised" };',
    },
  }),
  ...mutantsIn("operations/fetch-orchestration-item.ts", {
    "hands out suspended instances": { find: "!store.suspended.has(id) &&", replace: "id !== undefined &&" },
  }),
  ...mutantsIn("operations/ack-fused-turn.ts", {
    "stores fused turns of suspended instances": {
      find: "!store.suspended.has(instanceId) &&",
      replace: "instanceId !== undefined &&",
    },
  }),
  ...mutantsIn("admin/delete-instances.ts", {
    "leaves the marker to the next instance of the same id": { find: "    suspended,", replace: "" },
  }),
];
