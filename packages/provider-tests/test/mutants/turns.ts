/** Faults in fetching, committing and giving back turns. */
import type { Mutant } from "./mutant.ts";

const FETCH = "operations/fetch-orchestration-item.ts";
const ACK = "operations/ack-orchestration-item.ts";
const TURN = "operations/store-turn.ts";
const ABANDON = "operations/abandon-orchestration-item.ts";
const LOCKS = "locks.ts";

export const turnMutants: readonly Mutant[] = [
  {
    name: "fetches instances that are locked",
    file: FETCH,
    find: "!isInstanceLocked(store, id, nowMs) &&",
    replace: "",
  },
  {
    name: "takes a lock to be valid at its deadline",
    file: LOCKS,
    find: "?? 0) > nowMs",
    replace: "?? 0) >= nowMs",
  },
  {
    name: "lets an expired turn commit as long as no worker took it",
    file: LOCKS,
    find: "if (found.lock.lockedUntilMs <= nowMs) throw ProviderError.lockLost(operation);",
    replace: "void nowMs;",
  },
  {
    name: "gives every fetch of an instance the same token",
    file: FETCH,
    find: "const token = store.random.uuid();",
    replace: 'const token = "lock of ".concat(instanceId);',
  },
  {
    name: "ignores the capability filter",
    file: FETCH,
    find: "if (supported === undefined) return true;",
    replace: "if (supported !== undefined || supported === undefined) return true;",
  },
  {
    name: "looks at the first range of the capability filter only",
    file: FETCH,
    find: "supported.some((range) => inRange(pinned, range))",
    replace: "supported.slice(0, 1).some((range) => inRange(pinned, range))",
  },
  {
    name: "takes the ranges of the capability filter as one envelope",
    file: FETCH,
    find: "supported.some((range) => inRange(pinned, range))",
    replace: "inRange(pinned, { min: supported[0]?.min ?? pinned, max: supported.at(-1)?.max ?? pinned })",
  },
  {
    name: "lets a newer runtime's execution block every worker that does not support it",
    file: FETCH,
    find: "for (const instanceId of candidates(store, nowMs, options)) {",
    replace:
      "for (const instanceId of candidates(store, nowMs, { ...options, supportedVersions: undefined } as FetchOrchestrationOptions)) {\n    if (!isSupported(store, instanceId, options.supportedVersions)) return undefined;",
  },
  {
    name: "counts no attempts of a caller that holds the history",
    file: FETCH,
    find: "row.attemptCount++;",
    replace: "if (heldHistory === undefined) row.attemptCount++;",
  },
  {
    name: "never ends the lock of a caller that holds the history",
    file: FETCH,
    find: "const lockedUntilMs = nowMs + lockTimeoutMs;",
    replace:
      "const lockedUntilMs = heldHistory === undefined ? nowMs + lockTimeoutMs : Number.MAX_SAFE_INTEGER;",
  },
  {
    name: "names a turn by the history that its caller holds",
    file: FETCH,
    find: "const token = store.random.uuid();",
    replace: "const token = heldHistory?.(instanceId)?.concat(' turn') ?? store.random.uuid();",
  },
  {
    name: "counts no attempts",
    file: FETCH,
    find: "row.attemptCount++;",
    replace: "",
  },
  {
    name: "reports the attempts of the first message instead of the highest",
    file: FETCH,
    find: "attemptCount: Math.max(...batch.map((row) => row.attemptCount)),",
    replace: "attemptCount: batch[0]?.attemptCount ?? 0,",
  },
  {
    name: "delivers messages before they are visible",
    file: FETCH,
    find: "row.visibleAtMs <= nowMs || isBlocked(row)",
    replace: "row.visibleAtMs >= 0 || isBlocked(row)",
  },
  {
    name: "delivers messages in queue order, whatever their order time",
    file: FETCH,
    find: "a.orderAtMs - b.orderAtMs",
    replace: "0 * (a.orderAtMs - b.orderAtMs)",
  },
  {
    name: "orders messages by when they became visible",
    file: FETCH,
    find: "a.orderAtMs - b.orderAtMs",
    replace: "a.visibleAtMs - b.visibleAtMs",
  },
  {
    name: "leaves hidden rows of a blocked batch behind",
    file: FETCH,
    find: "row.visibleAtMs <= nowMs || isBlocked(row)",
    replace: "row.visibleAtMs <= nowMs || (row.visibleAtMs < 0 && isBlocked(row))",
  },
  {
    name: "hides the rows of a blocked batch again when a process is lost",
    file: FETCH,
    find: "    row.visibleAtMs = Math.min(row.visibleAtMs, nowMs);\n",
    replace: "",
  },
  {
    name: "drops the messages that an execution returns",
    file: TURN,
    find: "store.messages.push(...returned, ...messages);",
    replace: "store.messages.push(...returned.slice(0, 0), ...messages);",
  },
  {
    name: "puts returned messages behind the others",
    file: TURN,
    find: "return -executionId;",
    replace: "return Number.MAX_SAFE_INTEGER - executionId;",
  },
  {
    name: "keeps a block although a turn was committed",
    file: TURN,
    find: "  store.blockedInstances.delete(instanceId);\n",
    replace: "",
  },
  {
    name: "begins a block anew each time",
    file: "blocked.ts",
    find: "sinceMs: before?.sinceMs ?? nowMs,",
    replace: "sinceMs: nowMs,",
  },
  {
    name: "throws where a history cannot be decoded",
    file: FETCH,
    find: "return { history: [], historyError: (error as Error).message };",
    replace: "throw error;",
  },
  {
    name: "takes a history that cannot be decoded for an empty one",
    file: FETCH,
    find: "return { history: [], historyError: (error as Error).message };",
    replace: "return { history: [] };",
  },
  {
    name: "stops looking when it has dropped queue messages",
    file: FETCH,
    find: "if (!hasContext(store, instanceId, batch)) dropEarlyQueueMessages(store, instanceId, batch);",
    replace:
      "if (!hasContext(store, instanceId, batch)) {\n dropEarlyQueueMessages(store, instanceId, batch);\n return undefined;\n }",
  },
  {
    name: "drops every message that comes before its start",
    file: FETCH,
    find: 'if (!batch.every((row) => toMessage(row).kind === "QueueMessage")) return;',
    replace: "",
  },
  {
    name: "keeps queue messages for instances that do not exist",
    file: FETCH,
    find: "store.messages = store.messages.filter((row) => !batch.includes(row));",
    replace: "",
  },
  {
    name: "hands out batches that no orchestration can be found for",
    file: FETCH,
    find: "if (store.instances.has(instanceId)) return true;",
    replace: "if (store.instances.has(instanceId) || batch.length > 0) return true;",
  },
  {
    name: "shows the changes of the running execution in the snapshot",
    file: FETCH,
    find: "store.kv.get(instanceId)?.finished),",
    replace:
      "[...(store.kv.get(instanceId)?.finished ?? []), ...(store.kv.get(instanceId)?.current ?? [])] as never),",
  },
  {
    name: "leaves out a history whose tag is not the caller's",
    file: FETCH,
    find: "heldTag !== undefined && heldTag === store.historyTags.get(instanceId)",
    replace: "heldTag !== undefined",
  },
  {
    name: "deletes all messages of the instance with a commit",
    file: ACK,
    find: "store.messages = store.messages.filter((row) => row.lockToken !== lockToken);",
    replace: "store.messages = store.messages.filter((row) => row.instanceId !== instanceId);",
  },
  {
    name: "deletes the messages before it knows that the commit is good",
    file: ACK,
    find: "  refuseTurn(store, OPERATION, instanceId, turn);\n  store.messages = store.messages.filter((row) => row.lockToken !== lockToken);",
    replace:
      "  store.messages = store.messages.filter((row) => row.lockToken !== lockToken);\n  refuseTurn(store, OPERATION, instanceId, turn);",
  },
  {
    name: "queues the activities before it knows that the commit is good",
    file: ACK,
    find: "  refuseTurn(store, OPERATION, instanceId, turn);\n",
    replace:
      "  store.activities.push(...turn.activities);\n  refuseTurn(store, OPERATION, instanceId, turn);\n  store.activities.splice(-turn.activities.length, turn.activities.length);\n",
  },
  {
    name: "stores key-value entries before it knows that the commit is good",
    file: TURN,
    find: "  refuseDuplicates(store, operation, instanceId, turn.executionId, turn.events);\n",
    replace:
      "  storeKv(store, instanceId, turn.content.historyDelta, false, turn.nowMs);\n  refuseDuplicates(store, operation, instanceId, turn.executionId, turn.events);\n",
  },
  {
    name: "releases the lock when a commit is refused",
    file: ACK,
    find: "  refuseTurn(store, OPERATION, instanceId, turn);\n",
    replace:
      "  try {\n    refuseTurn(store, OPERATION, instanceId, turn);\n  } catch (error) {\n    store.instanceLocks.delete(instanceId);\n    throw error;\n  }\n",
  },
  {
    name: "overwrites events",
    file: "operations/append-history.ts",
    find: "if (taken.has(eventId)) throw ProviderError.duplicateEvent(operation, executionId, eventId);",
    replace: "void ProviderError;\n    void operation;",
  },
  {
    name: "does not notice an event id twice in one commit",
    file: "operations/append-history.ts",
    find: "    taken.add(eventId);\n",
    replace: "",
  },
  {
    name: "renumbers appended events",
    file: "operations/append-history.ts",
    find: "stored.set(eventId, text)",
    replace: "stored.set(stored.size + 1 + 0 * eventId, text)",
  },
  {
    name: "cancels activities before it queues the new ones",
    file: TURN,
    find: "  store.activities.push(...activities);\n",
    replace: "  setTimeout(() => store.activities.push(...activities), 0);\n",
  },
  {
    name: "leaves cancelled activities in the queue",
    file: TURN,
    find: "(row) => row.instanceId !== instance ||",
    replace: "(row) => true || row.instanceId !== instance ||",
  },
  {
    name: "cancels activities that are not locked only",
    file: TURN,
    find: "(row) => row.instanceId !== instance ||",
    replace: "(row) => row.lockToken !== undefined || row.instanceId !== instance ||",
  },
  {
    name: "cancels the activities of the same id in other executions",
    file: TURN,
    find: "row.executionId !== execution || ",
    replace: "(execution < 0 && row.executionId !== execution) || ",
  },
  {
    name: "makes timers of a commit visible at once",
    file: TURN,
    find: "dueMsOf(item) ?? nowMs",
    replace: "Math.min(dueMsOf(item) ?? nowMs, nowMs)",
  },
  {
    name: "loses the messages for other instances",
    file: TURN,
    find: "store.messages.push(...returned, ...messages);",
    replace: "store.messages.push(...returned, ...messages.filter((row) => row.instanceId === instanceId));",
  },
  {
    name: "puts the messages of a commit into the queue backwards",
    file: TURN,
    find: "store.messages.push(...returned, ...messages);",
    replace: "store.messages.push(...returned, ...messages.reverse());",
  },
  {
    name: "keeps the lock after a commit",
    file: TURN,
    find: "store.instanceLocks.delete(instanceId);",
    replace: "",
  },
  {
    name: "hides all rows of the instance when a turn is given back with a delay",
    file: ABANDON,
    find: "if (row.lockToken !== lockToken) continue;",
    replace: "if (row.instanceId !== instanceId) continue;",
  },
  {
    name: "gives a turn back without its delay",
    file: ABANDON,
    find: "if (delayMs > 0) row.visibleAtMs = nowMs + delayMs;",
    replace: "void nowMs;",
  },
  {
    name: "lets attempts go below zero",
    file: ABANDON,
    find: "row.attemptCount = Math.max(0, row.attemptCount - 1)",
    replace: "row.attemptCount -= 2",
  },
  {
    name: "counts an attempt that was to be ignored",
    file: ABANDON,
    find: "if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);",
    replace: "void ignoreAttempt;",
  },
  {
    name: "keeps the lock of a turn that was given back",
    file: ABANDON,
    find: "store.instanceLocks.delete(instanceId);",
    replace: "",
  },
  {
    name: "shortens a turn's lock by a renewal",
    file: "operations/renew-orchestration-item-lock.ts",
    find: "Math.max(lock.lockedUntilMs, nowMs + extensionMs)",
    replace: "nowMs + extensionMs",
  },
  {
    name: "revives an expired lock by a renewal",
    file: "operations/renew-orchestration-item-lock.ts",
    find: "findValidInstanceLock(store, OPERATION, lockToken, nowMs)",
    replace: "findValidInstanceLock(store, OPERATION, lockToken, Number.NEGATIVE_INFINITY)",
  },
  {
    name: "keeps the timers that a turn drops",
    file: TURN,
    find: "if (dropped.size > 0) store.messages",
    replace: "if (dropped.size > 1_000) store.messages",
  },
  {
    name: "drops the timers of other instances too",
    file: TURN,
    find: "row.instanceId === instanceId && row.timer !== undefined",
    replace: "row.timer !== undefined",
  },
  {
    name: "drops every timer of the instance",
    file: TURN,
    find: "row.timer !== undefined && dropped.has(row.timer)",
    replace: "row.timer !== undefined",
  },
  {
    name: "drops timers before it refuses a turn",
    file: TURN,
    find: "  refuseDuplicates(store, operation, instanceId, turn.executionId, turn.events);",
    replace:
      "  store.messages = store.messages.filter((row) => row.timer === undefined || !turn.dropped.has(row.timer));\n  refuseDuplicates(store, operation, instanceId, turn.executionId, turn.events);",
  },
  {
    name: "shows a deadline of a turn at once",
    file: TURN,
    find: "dueMsOf(item) ?? nowMs",
    replace: 'item.kind === "TimerFired" ? (dueMsOf(item) ?? nowMs) : nowMs',
  },
];
