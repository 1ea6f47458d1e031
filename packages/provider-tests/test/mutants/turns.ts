/** Faults in fetching, committing and giving back turns. */
import { type Mutant, mutantsIn } from "./mutant.ts";

export const turnMutants: readonly Mutant[] = [
  ...mutantsIn("operations/fetch-orchestration-item.ts", {
    "fetches instances that are locked": { find: "!isInstanceLocked(store, id, nowMs) &&", replace: "" },
    "gives every fetch of an instance the same token": {
      find: "const token = store.random.uuid();",
      replace: 'const token = "lock of ".concat(instanceId);',
    },
    "ignores the capability filter": {
      find: "if (supported === undefined) return true;",
      replace: "if (supported !== undefined || supported === undefined) return true;",
    },
    "looks at the first range of the capability filter only": {
      find: "supported.some((range) => inRange(pinned, range))",
      replace: "supported.slice(0, 1).some((range) => inRange(pinned, range))",
    },
    "takes the ranges of the capability filter as one envelope": {
      find: "supported.some((range) => inRange(pinned, range))",
      replace: "inRange(pinned, { min: supported[0]?.min ?? pinned, max: supported.at(-1)?.max ?? pinned })",
    },
    "lets a newer runtime's execution block every worker that does not support it": {
      find: "for (const instanceId of candidates(store, nowMs, options)) {",
      replace:
        "for (const instanceId of candidates(store, nowMs, { ...options, supportedVersions: undefined } as FetchOrchestrationOptions)) {\n    if (!isSupported(store, instanceId, options.supportedVersions)) return undefined;",
    },
    "counts no attempts of a caller that holds the history": {
      find: "row.attemptCount++;",
      replace: "if (heldHistory === undefined) row.attemptCount++;",
    },
    "never ends the lock of a caller that holds the history": {
      find: "const lockedUntilMs = nowMs + lockTimeoutMs;",
      replace:
        "const lockedUntilMs = heldHistory === undefined ? nowMs + lockTimeoutMs : Number.MAX_SAFE_INTEGER;",
    },
    "names a turn by the history that its caller holds": {
      find: "const token = store.random.uuid();",
      replace: "const token = heldHistory?.(instanceId)?.concat(' turn') ?? store.random.uuid();",
    },
    "counts no attempts": { find: "row.attemptCount++;", replace: "" },
    "reports the attempts of the first message instead of the highest": {
      find: "attemptCount: Math.max(...batch.map((row) => row.attemptCount)),",
      replace: "attemptCount: batch[0]?.attemptCount ?? 0,",
    },
    "delivers messages before they are visible": {
      find: "row.visibleAtMs <= nowMs || isBlocked(row)",
      replace: "row.visibleAtMs >= 0 || isBlocked(row)",
    },
    "delivers messages in queue order, whatever their order time": {
      find: "a.orderAtMs - b.orderAtMs",
      replace: "0 * (a.orderAtMs - b.orderAtMs)",
    },
    "orders messages by when they became visible": {
      find: "a.orderAtMs - b.orderAtMs",
      replace: "a.visibleAtMs - b.visibleAtMs",
    },
    "leaves hidden rows of a blocked batch behind": {
      find: "row.visibleAtMs <= nowMs || isBlocked(row)",
      replace: "row.visibleAtMs <= nowMs || (row.visibleAtMs < 0 && isBlocked(row))",
    },
    "hides the rows of a blocked batch again when a process is lost": {
      find: "    row.visibleAtMs = Math.min(row.visibleAtMs, nowMs);\n",
      replace: "",
    },
    "throws where a history cannot be decoded": {
      find: "return { history: [], historyError: (error as Error).message };",
      replace: "throw error;",
    },
    "takes a history that cannot be decoded for an empty one": {
      find: "return { history: [], historyError: (error as Error).message };",
      replace: "return { history: [] };",
    },
    "stops looking when it has dropped queue messages": {
      find: "if (!hasContext(store, instanceId, batch)) dropEarlyQueueMessages(store, instanceId, batch);",
      replace:
        "if (!hasContext(store, instanceId, batch)) {\n dropEarlyQueueMessages(store, instanceId, batch);\n return undefined;\n }",
    },
    "drops every message that comes before its start": {
      find: 'if (!batch.every((row) => toMessage(row).kind === "QueueMessage")) return;',
      replace: "",
    },
    "keeps queue messages for instances that do not exist": {
      find: "store.messages = store.messages.filter((row) => !batch.includes(row));",
      replace: "",
    },
    "hands out batches that no orchestration can be found for": {
      find: "if (store.instances.has(instanceId)) return true;",
      replace: "if (store.instances.has(instanceId) || batch.length > 0) return true;",
    },
    "shows the changes of the running execution in the snapshot": {
      find: "store.kv.get(instanceId)?.finished),",
      replace:
        "[...(store.kv.get(instanceId)?.finished ?? []), ...(store.kv.get(instanceId)?.current ?? [])] as never),",
    },
    "leaves out a history whose tag is not the caller's": {
      find: "heldTag !== undefined && heldTag === store.historyTags.get(instanceId)",
      replace: "heldTag !== undefined",
    },
  }),
  ...mutantsIn("locks.ts", {
    "takes a lock to be valid at its deadline": { find: "?? 0) > nowMs", replace: "?? 0) >= nowMs" },
    "lets an expired turn commit as long as no worker took it": {
      find: "if (found.lock.lockedUntilMs <= nowMs) throw ProviderError.lockLost(operation);",
      replace: "void nowMs;",
    },
  }),
  ...mutantsIn("operations/store-turn.ts", {
    "drops the messages that an execution returns": {
      find: "store.messages.push(...returned, ...messages);",
      replace: "store.messages.push(...returned.slice(0, 0), ...messages);",
    },
    "puts returned messages behind the others": {
      find: "return -executionId;",
      replace: "return Number.MAX_SAFE_INTEGER - executionId;",
    },
    "keeps a block although a turn was committed": {
      find: "  store.blockedInstances.delete(instanceId);\n",
      replace: "",
    },
    "stores key-value entries before it knows that the commit is good": {
      find: "  refuseDuplicates(store, operation, instanceId, turn.executionId, turn.events);\n",
      replace:
        "  storeKv(store, instanceId, turn.content.historyDelta, false, turn.nowMs);\n  refuseDuplicates(store, operation, instanceId, turn.executionId, turn.events);\n",
    },
    "cancels activities before it queues the new ones": {
      find: "  store.activities.push(...activities);\n",
      replace: "  setTimeout(() => store.activities.push(...activities), 0);\n",
    },
    "leaves cancelled activities in the queue": {
      find: "(row) => row.instanceId !== instance ||",
      replace: "(row) => true || row.instanceId !== instance ||",
    },
    "cancels activities that are not locked only": {
      find: "(row) => row.instanceId !== instance ||",
      replace: "(row) => row.lockToken !== undefined || row.instanceId !== instance ||",
    },
    "cancels the activities of the same id in other executions": {
      find: "row.executionId !== execution || ",
      replace: "(execution < 0 && row.executionId !== execution) || ",
    },
    "makes timers of a commit visible at once": {
      find: "dueMsOf(item) ?? nowMs",
      replace: "Math.min(dueMsOf(item) ?? nowMs, nowMs)",
    },
    "loses the messages for other instances": {
      find: "store.messages.push(...returned, ...messages);",
      replace:
        "store.messages.push(...returned, ...messages.filter((row) => row.instanceId === instanceId));",
    },
    "puts the messages of a commit into the queue backwards": {
      find: "store.messages.push(...returned, ...messages);",
      replace: "store.messages.push(...returned, ...messages.reverse());",
    },
    "keeps the lock after a commit": { find: "store.instanceLocks.delete(instanceId);", replace: "" },
    "keeps the timers that a turn drops": {
      find: "if (dropped.size > 0) store.messages",
      replace: "if (dropped.size > 1_000) store.messages",
    },
    "drops the timers of other instances too": {
      find: "row.instanceId === instanceId && row.timer !== undefined",
      replace: "row.timer !== undefined",
    },
    "drops every timer of the instance": {
      find: "row.timer !== undefined && dropped.has(row.timer)",
      replace: "row.timer !== undefined",
    },
    "drops timers before it refuses a turn": {
      find: "  refuseDuplicates(store, operation, instanceId, turn.executionId, turn.events);",
      replace:
        "  store.messages = store.messages.filter((row) => row.timer === undefined || !turn.dropped.has(row.timer));\n  refuseDuplicates(store, operation, instanceId, turn.executionId, turn.events);",
    },
    "shows a deadline of a turn at once": {
      find: "dueMsOf(item) ?? nowMs",
      replace: 'item.kind === "TimerFired" ? (dueMsOf(item) ?? nowMs) : nowMs',
    },
  }),
  ...mutantsIn("blocked.ts", {
    "begins a block anew each time": {
      find: "sinceMs: before?.sinceMs ?? nowMs,",
      replace: "sinceMs: nowMs,",
    },
  }),
  ...mutantsIn("operations/ack-orchestration-item.ts", {
    "deletes all messages of the instance with a commit": {
      find: "store.messages = store.messages.filter((row) => row.lockToken !== lockToken);",
      replace: "store.messages = store.messages.filter((row) => row.instanceId !== instanceId);",
    },
    "deletes the messages before it knows that the commit is good": {
      find: "  refuseTurn(store, OPERATION, instanceId, turn);\n  store.messages = store.messages.filter((row) => row.lockToken !== lockToken);",
      replace:
        "  store.messages = store.messages.filter((row) => row.lockToken !== lockToken);\n  refuseTurn(store, OPERATION, instanceId, turn);",
    },
    "queues the activities before it knows that the commit is good": {
      find: "  refuseTurn(store, OPERATION, instanceId, turn);\n",
      replace:
        "  store.activities.push(...turn.activities);\n  refuseTurn(store, OPERATION, instanceId, turn);\n  store.activities.splice(-turn.activities.length, turn.activities.length);\n",
    },
    "releases the lock when a commit is refused": {
      find: "  refuseTurn(store, OPERATION, instanceId, turn);\n",
      replace:
        "  try {\n    refuseTurn(store, OPERATION, instanceId, turn);\n  } catch (error) {\n    store.instanceLocks.delete(instanceId);\n    throw error;\n  }\n",
    },
  }),
  ...mutantsIn("operations/append-history.ts", {
    "overwrites events": {
      find: "if (taken.has(eventId)) throw ProviderError.duplicateEvent(operation, executionId, eventId);",
      replace: "void ProviderError;\n    void operation;",
    },
    "does not notice an event id twice in one commit": { find: "    taken.add(eventId);\n", replace: "" },
    "renumbers appended events": {
      find: "stored.set(eventId, text)",
      replace: "stored.set(stored.size + 1 + 0 * eventId, text)",
    },
  }),
  ...mutantsIn("operations/abandon-orchestration-item.ts", {
    "hides all rows of the instance when a turn is given back with a delay": {
      find: "if (row.lockToken !== lockToken) continue;",
      replace: "if (row.instanceId !== instanceId) continue;",
    },
    "gives a turn back without its delay": {
      find: "if (delayMs > 0) row.visibleAtMs = nowMs + delayMs;",
      replace: "void nowMs;",
    },
    "lets attempts go below zero": {
      find: "row.attemptCount = Math.max(0, row.attemptCount - 1)",
      replace: "row.attemptCount -= 2",
    },
    "counts an attempt that was to be ignored": {
      find: "if (ignoreAttempt) row.attemptCount = Math.max(0, row.attemptCount - 1);",
      replace: "void ignoreAttempt;",
    },
    "keeps the lock of a turn that was given back": {
      find: "store.instanceLocks.delete(instanceId);",
      replace: "",
    },
  }),
  ...mutantsIn("operations/renew-orchestration-item-lock.ts", {
    "shortens a turn's lock by a renewal": {
      find: "Math.max(lock.lockedUntilMs, nowMs + extensionMs)",
      replace: "nowMs + extensionMs",
    },
    "revives an expired lock by a renewal": {
      find: "findValidInstanceLock(store, OPERATION, lockToken, nowMs)",
      replace: "findValidInstanceLock(store, OPERATION, lockToken, Number.NEGATIVE_INFINITY)",
    },
  }),
];
