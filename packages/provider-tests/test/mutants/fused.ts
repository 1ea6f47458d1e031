/** Faults in ending activities together with the turn that they cause. */
import { type Mutant, mutantsIn } from "./mutant.ts";

export const fusedMutants: readonly Mutant[] = [
  ...mutantsIn("operations/ack-fused-turn.ts", {
    "ends activities whose lock is over": {
      find: "findValidActivityLock(store, OPERATION, token, nowMs)",
      replace:
        "store.activities.find((row) => row.lockToken === token) ?? findValidActivityLock(store, OPERATION, token, nowMs)",
    },
    "stores a fused turn on any history": {
      find: "store.historyTags.get(instanceId) === historyTag &&",
      replace: "historyTag !== undefined &&",
    },
    "stores a fused turn before messages that wait as blocked": {
      find: "!store.blockedInstances.has(instanceId) &&",
      replace: "!store.blockedInstances.has(historyTag) &&",
    },
    "stores a fused turn before messages that are visible": {
      find: "row.instanceId === instanceId && row.visibleAtMs <= nowMs",
      replace: "row.instanceId === historyTag && row.visibleAtMs <= nowMs",
    },
    "takes a timer for a message before its time": {
      find: "row.instanceId === instanceId && row.visibleAtMs <= nowMs",
      replace: "row.instanceId === instanceId && row.visibleAtMs <= Number.POSITIVE_INFINITY",
    },
    "keeps the activities that ended with a turn": { find: "!ended.has(row)", replace: "row !== undefined" },
    "ends only the first of several activities": {
      find: "!ended.has(row)",
      replace: "row !== [...ended][0]",
    },
    "keeps the tag through a fused turn": {
      find: "const historyTag = store.random.uuid();",
      replace: "const historyTag = ack.historyTag;",
    },
    "lets sessions idle whose activities end with a turn": {
      find: "for (const { sessionId } of ended) touchSession(store, sessionId, nowMs);",
      replace: "void touchSession;",
    },
    "overwrites events by a fused turn": {
      find: "refuseTurn(store, OPERATION, instanceId, turn);",
      replace: "void refuseTurn;",
    },
    "ends activities of other instances": {
      find: "if (rows.some((row) => row.instanceId !== instanceId)) throw ProviderError.lockLost(OPERATION);",
      replace: "void ProviderError;",
    },
    "makes an instance by a fused turn": {
      find: "store.instances.has(instanceId) &&\n    store.historyTags.get(instanceId) === historyTag",
      replace:
        "(store.instances.has(instanceId) ? store.historyTags.get(instanceId) : historyTag) === historyTag",
    },
    "forgets the activities that a fused turn schedules": {
      find: "storeTurn(store, instanceId, historyTag, turn);",
      replace: "storeTurn(store, instanceId, historyTag, { ...turn, activities: [] });",
    },
    "commits a fused turn although its activities are lost": {
      find: "const ended = activitiesOf(store, ack, nowMs);",
      replace:
        "const ended = ((): ReadonlySet<ActivityRow> => {\n    try {\n      return activitiesOf(store, ack, nowMs);\n    } catch {\n      return new Set();\n    }\n  })();",
    },
  }),
];
