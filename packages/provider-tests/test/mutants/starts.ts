/** Faults in starts that come with messages, a deadline and a rule for an id that is taken. */
import type { Mutant } from "./mutant.ts";

const START = "operations/start-instance.ts";
const TAKEN = "operations/taken-by.ts";
const ENQUEUE = "operations/enqueue.ts";

export const startMutants: readonly Mutant[] = [
  {
    name: "stores a start without its messages",
    file: START,
    find: "[start, ...messages].map(",
    replace: "[start].map(",
  },
  {
    name: "stores the messages of a start before it",
    file: START,
    find: "[start, ...messages].map(",
    replace: "[...messages, start].map(",
  },
  {
    name: "stores a start again that has the id of an earlier one",
    file: START,
    find: "if (messageId !== undefined && isRemembered(store, id, messageId, nowMs))",
    replace: "if (id === undefined && isRemembered(store, id, messageId ?? '', nowMs))",
  },
  {
    name: "does not remember the id of a start",
    file: START,
    find: "push(...rows);\n  if (messageId !== undefined) remember(",
    replace: "push(...rows);\n  if (id === undefined) remember(",
  },
  {
    name: "does not remember the id of a debounced start",
    file: START,
    find: "  if (options.debounce !== undefined) {\n    if (messageId !== undefined) remember(",
    replace: "  if (options.debounce !== undefined) {\n    if (id === undefined) remember(",
  },
  {
    name: "keeps a debounced start that another has replaced",
    file: START,
    find: "store.messages = store.messages.filter((row) => row !== last);",
    replace: "",
  },
  {
    name: "forgets when the first of debounced starts came",
    file: START,
    find: "last && debouncedSinceMs(toMessage(last)), nowMs)",
    replace: "undefined, nowMs)",
  },
  {
    name: "restarts a child for a debounced start",
    file: "operations/fetch-orchestration-item.ts",
    find: "return !isChild && ",
    replace: "return isChild || ",
  },
  {
    name: "takes messages of several queues under one id to be the same",
    file: ENQUEUE,
    find: "toMessageId(operation, item, options)",
    replace: 'toMessageId(operation, "name" in item ? { ...item, name: "" } : item, options)',
  },
  {
    name: "takes an event and a message of a queue under one id to be the same",
    file: ENQUEUE,
    find: "toMessageId(operation, item, options)",
    replace: 'toMessageId(operation, { ...item, kind: "QueueMessage" }, options)',
  },
  {
    name: "does not look at the queue for a start of the same id",
    file: TAKEN,
    find: 'return { orchestration: message.orchestration, status: "Queued" };',
    replace: "continue;",
  },
  {
    name: "takes any message for a start of the same id",
    file: TAKEN,
    find: 'if (message?.kind === "StartOrchestration")\n      return { orchestration: message.orchestration, status: "Queued" };',
    replace: 'if (message !== undefined) return { orchestration: "TestOrch", status: "Queued" };',
  },
  {
    name: "takes an instance between two executions for an ended one",
    file: TAKEN,
    find: "takenStatus(statusOf(store, instanceId))",
    replace: 'takenStatus(statusOf(store, instanceId).replace("ContinuedAsNew", "Completed"))',
  },
  {
    name: "restarts an instance that runs",
    file: START,
    find: 'if (ifExists === "fail" || !hasEnded(taken.status))',
    replace: 'if (ifExists === "fail")',
  },
  {
    name: "restarts an instance that ended where the start is to fail",
    file: START,
    find: 'if (ifExists === "fail" || !hasEnded(taken.status))',
    replace: "if (!hasEnded(taken.status))",
  },
  {
    name: "restarts an instance beside what is left of it",
    file: START,
    find: "    deleteInstance(store, id, { force: true });\n",
    replace: "    void deleteInstance;\n",
  },
  {
    name: "gives a deadline to an instance that is there",
    file: START,
    find: "deadline !== undefined && created",
    replace: "deadline !== undefined",
  },
  {
    name: "gives no deadline to an instance that is new",
    file: START,
    find: "deadline !== undefined && created",
    replace: "deadline !== undefined && !created",
  },
  {
    name: "ends an instance before its deadline",
    file: START,
    find: "nowMs, nowMs + delayMs)",
    replace: "nowMs, nowMs + Math.min(delayMs, 0))",
  },
  {
    name: "takes a message for an instance that nobody has started",
    file: ENQUEUE,
    find: 'if (taken === undefined) return "not-found";',
    replace: 'if (taken === undefined) return "stored";',
  },
  {
    name: "takes a message for an ended instance",
    file: ENQUEUE,
    find: "if (hasEnded(taken.status) && ",
    replace: "if (hasEnded(taken.status) && store.messages.length < 0 && ",
  },
  {
    name: "refuses a message for an instance that a rewind has suspended",
    file: ENQUEUE,
    find: " && !store.suspended.has(row.instanceId)",
    replace: "",
  },
  {
    name: "refuses the repetition of a message that was sent before the end",
    file: ENQUEUE,
    find: 'row.instanceId, messageId, nowMs)) return "stored";',
    replace: 'row.instanceId, messageId, nowMs)) return options?.ifMissing === "fail" ? "ended" : "stored";',
  },
  {
    name: "reuses the instance of another orchestration",
    file: START,
    find: 'ifExists === "reuse" && isOfAnother(taken, start)',
    replace: 'ifExists !== "reuse" && isOfAnother(taken, start)',
  },
  {
    name: "says that each start has made its instance",
    file: START,
    find: 'const created = taken === undefined || ifExists === "restart";',
    replace: 'const created = taken === undefined || ifExists !== "fail";',
  },
];
