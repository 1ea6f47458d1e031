/** Faults in starts that come with messages, a deadline and a rule for an id that is taken. */
import { type Mutant, mutantsIn } from "./mutant.ts";

export const startMutants: readonly Mutant[] = [
  ...mutantsIn("operations/start-instance.ts", {
    "stores a start without its messages": { find: "[start, ...messages].map(", replace: "[start].map(" },
    "stores the messages of a start before it": {
      find: "[start, ...messages].map(",
      replace: "[...messages, start].map(",
    },
    "stores a start again that has the id of an earlier one": {
      find: "if (messageId !== undefined && isRemembered(store, id, messageId, nowMs))",
      replace: "if (id === undefined && isRemembered(store, id, messageId ?? '', nowMs))",
    },
    "does not remember the id of a start": {
      find: "push(...rows);\n  if (messageId !== undefined) remember(",
      replace: "push(...rows);\n  if (id === undefined) remember(",
    },
    "does not remember the id of a debounced start": {
      find: "  if (options.debounce !== undefined) {\n    if (messageId !== undefined) remember(",
      replace: "  if (options.debounce !== undefined) {\n    if (id === undefined) remember(",
    },
    "keeps a debounced start that another has replaced": {
      find: "store.messages = store.messages.filter((row) => row !== last);",
      replace: "",
    },
    "forgets when the first of debounced starts came": {
      find: "last && debouncedSinceMs(toMessage(last)), nowMs)",
      replace: "undefined, nowMs)",
    },
    "restarts an instance that runs": {
      find: 'if (ifExists === "fail" || !hasEnded(taken.status))',
      replace: 'if (ifExists === "fail")',
    },
    "restarts an instance that ended where the start is to fail": {
      find: 'if (ifExists === "fail" || !hasEnded(taken.status))',
      replace: "if (!hasEnded(taken.status))",
    },
    "restarts an instance beside what is left of it": {
      find: "    deleteInstance(store, id, { force: true });\n",
      replace: "    void deleteInstance;\n",
    },
    "gives a deadline to an instance that is there": {
      find: "deadline !== undefined && created",
      replace: "deadline !== undefined",
    },
    "gives no deadline to an instance that is new": {
      find: "deadline !== undefined && created",
      replace: "deadline !== undefined && !created",
    },
    "ends an instance before its deadline": {
      find: "nowMs, nowMs + delayMs)",
      replace: "nowMs, nowMs + Math.min(delayMs, 0))",
    },
    "reuses the instance of another orchestration": {
      find: 'ifExists === "reuse" && isOfAnother(taken, start)',
      replace: 'ifExists !== "reuse" && isOfAnother(taken, start)',
    },
    "says that each start has made its instance": {
      find: 'const created = taken === undefined || ifExists === "restart";',
      replace: 'const created = taken === undefined || ifExists !== "fail";',
    },
  }),
  ...mutantsIn("operations/fetch-orchestration-item.ts", {
    "restarts a child for a debounced start": { find: "return !isChild && ", replace: "return isChild || " },
  }),
  ...mutantsIn("operations/enqueue.ts", {
    "takes messages of several queues under one id to be the same": {
      find: "toMessageId(operation, item, options)",
      replace: 'toMessageId(operation, "name" in item ? { ...item, name: "" } : item, options)',
    },
    "takes an event and a message of a queue under one id to be the same": {
      find: "toMessageId(operation, item, options)",
      replace: 'toMessageId(operation, { ...item, kind: "QueueMessage" }, options)',
    },
    "takes a message for an instance that nobody has started": {
      find: 'if (taken === undefined) return "not-found";',
      replace: 'if (taken === undefined) return "stored";',
    },
    "takes a message for an ended instance": {
      find: "if (hasEnded(taken.status) && ",
      replace: "if (hasEnded(taken.status) && store.messages.length < 0 && ",
    },
    "refuses a message for an instance that a rewind has suspended": {
      find: " && !store.suspended.has(row.instanceId)",
      replace: "",
    },
    "refuses the repetition of a message that was sent before the end": {
      find: 'row.instanceId, messageId, nowMs)) return "stored";',
      replace:
        'row.instanceId, messageId, nowMs)) return options?.ifMissing === "fail" ? "ended" : "stored";',
    },
  }),
  ...mutantsIn("operations/taken-by.ts", {
    "does not look at the queue for a start of the same id": {
      find: 'return { orchestration: message.orchestration, status: "Queued" };',
      replace: "continue;",
    },
    "takes any message for a start of the same id": {
      find: 'if (message?.kind === "StartOrchestration")\n      return { orchestration: message.orchestration, status: "Queued" };',
      replace: 'if (message !== undefined) return { orchestration: "TestOrch", status: "Queued" };',
    },
    "takes an instance between two executions for an ended one": {
      find: "takenStatus(statusOf(store, instanceId))",
      replace: 'takenStatus(statusOf(store, instanceId).replace("ContinuedAsNew", "Completed"))',
    },
  }),
];
