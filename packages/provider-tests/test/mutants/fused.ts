/** Faults in ending activities together with the turn that they cause. */
import type { Mutant } from "./mutant.ts";

const FUSED = "operations/ack-fused-turn.ts";

export const fusedMutants: readonly Mutant[] = [
  {
    name: "ends activities whose lock is over",
    file: FUSED,
    find: "findValidActivityLock(store, OPERATION, token, nowMs)",
    replace:
      "store.activities.find((row) => row.lockToken === token) ?? findValidActivityLock(store, OPERATION, token, nowMs)",
  },
  {
    name: "stores a fused turn on any history",
    file: FUSED,
    find: "store.historyTags.get(instanceId) === historyTag &&",
    replace: "historyTag !== undefined &&",
  },
  {
    name: "stores a fused turn before messages that wait as blocked",
    file: FUSED,
    find: "!store.blockedInstances.has(instanceId) &&",
    replace: "!store.blockedInstances.has(historyTag) &&",
  },
  {
    name: "stores a fused turn before messages that are visible",
    file: FUSED,
    find: "row.instanceId === instanceId && row.visibleAtMs <= nowMs",
    replace: "row.instanceId === historyTag && row.visibleAtMs <= nowMs",
  },
  {
    name: "takes a timer for a message before its time",
    file: FUSED,
    find: "row.instanceId === instanceId && row.visibleAtMs <= nowMs",
    replace: "row.instanceId === instanceId && row.visibleAtMs <= Number.POSITIVE_INFINITY",
  },
  {
    name: "keeps the activities that ended with a turn",
    file: FUSED,
    find: "!ended.has(row)",
    replace: "row !== undefined",
  },
  {
    name: "ends only the first of several activities",
    file: FUSED,
    find: "!ended.has(row)",
    replace: "row !== [...ended][0]",
  },
  {
    name: "keeps the tag through a fused turn",
    file: FUSED,
    find: "const historyTag = store.random.uuid();",
    replace: "const historyTag = ack.historyTag;",
  },
  {
    name: "lets sessions idle whose activities end with a turn",
    file: FUSED,
    find: "for (const { sessionId } of ended) touchSession(store, sessionId, nowMs);",
    replace: "void touchSession;",
  },
  {
    name: "overwrites events by a fused turn",
    file: FUSED,
    find: "refuseTurn(store, OPERATION, instanceId, turn);",
    replace: "void refuseTurn;",
  },
  {
    name: "ends activities of other instances",
    file: FUSED,
    find: "if (rows.some((row) => row.instanceId !== instanceId)) throw ProviderError.lockLost(OPERATION);",
    replace: "void ProviderError;",
  },
  {
    name: "makes an instance by a fused turn",
    file: FUSED,
    find: "store.instances.has(instanceId) &&\n    store.historyTags.get(instanceId) === historyTag",
    replace:
      "(store.instances.has(instanceId) ? store.historyTags.get(instanceId) : historyTag) === historyTag",
  },
  {
    name: "forgets the activities that a fused turn schedules",
    file: FUSED,
    find: "storeTurn(store, instanceId, historyTag, turn);",
    replace: "storeTurn(store, instanceId, historyTag, { ...turn, activities: [] });",
  },
  {
    name: "commits a fused turn although its activities are lost",
    file: FUSED,
    find: "const ended = activitiesOf(store, ack, nowMs);",
    replace:
      "const ended = ((): ReadonlySet<ActivityRow> => {\n    try {\n      return activitiesOf(store, ack, nowMs);\n    } catch {\n      return new Set();\n    }\n  })();",
  },
];
