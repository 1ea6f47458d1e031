/** Bugs of the engine and the runtime. */
import { type Mutant, named } from "./mutant.ts";

export const coreMutants: readonly Mutant[] = named({
  "takes the answer to an earlier execution for its own": {
    file: "core/src/replay/history/receive-messages.ts",
    find: "if (executionId !== this.#executionId) {",
    replace: "if (executionId > this.#executionId) {",
  },
  "answers a question again that is repeated after its answer": {
    file: "core/src/replay/code/questions.ts",
    find: "if (isAnswered || this.#open?.has(key)) return false;",
    replace: "if (this.#open?.has(key)) return false;",
  },
  "does not renew locks": {
    file: "core/src/runtime/locks/lock-renewal.ts",
    find: "if (until.aborted) return;",
    replace: "if (!until.aborted) return;",
  },
  "retries an activity once too often": {
    file: "core/src/replay/context/retry.ts",
    find: "number >= attempts || isFinal",
    replace: "number > attempts || isFinal",
  },
  "loses the messages that an execution leaves to the next": {
    file: "core/src/replay/history/outgoing.ts",
    find: "const carried = unread.slice(0, count)",
    replace: "const carried = unread.slice(1, count)",
  },
  "lets a timer fire a second early": {
    file: "core/src/replay/calls/timer.ts",
    find: "    fire_at_ms: fireAtMs,\n  })",
    replace: "    fire_at_ms: fireAtMs - 1_000,\n  })",
  },
  "begins an execution by hand without its open activities": {
    file: "core/src/verbs/next-execution.ts",
    find: '.filter((event) => event.type === "ActivityScheduled")',
    replace: ".filter(() => false)",
  },
  "leaves the key-values as they are when it goes back": {
    file: "core/src/client/verbs/retry.ts",
    find: "const restored = await keyValuesFor(tools, verb, state);",
    replace: "const restored = {};",
  },
  "says in history which tags an instance has, and does not store them": {
    file: "core/src/replay/history/record-tags.ts",
    find: "return writer.markTags(tags) ? tags : undefined;",
    replace: "return writer.markTags(tags) ? undefined : undefined;",
  },
  "leaves the tags as they are when it goes back": {
    file: "core/src/verbs/next-execution.ts",
    find: "tags: storedTags(index.tags, started?.scheduled),",
    replace: "...(void storedTags, {}),",
  },
  "leaves the child of a dropped call running": {
    file: "core/src/replay/history/record-drops.ts",
    find: "orchestratorItems.push(cancelChild({ instanceId, executionId }, childId, PARENT_DROPPED));",
    replace: "void [cancelChild, childId, PARENT_DROPPED];",
  },
  "leaves the children of a cancelled execution running": {
    file: "core/src/replay/turn.ts",
    find: "const cancels = children.map(",
    replace: "const cancels = children.slice(children.length).map(",
  },
  "gives a message to a wait that has lost its race": {
    file: "core/src/replay/code/arrivals.ts",
    find: "while (calls?.[0]?.dropped === true) calls.shift();",
    replace: "",
  },
  "stores a start without its deadline": {
    file: "core/src/client/start-instance.ts",
    find: "      ...(deadline && { deadline: deadline.message }),\n",
    replace: "",
  },
  "loses the cancellation of a later execution": {
    file: "core/src/replay/history/receive-messages.ts",
    find: "else if (!asksToEnd(message, this.#index.started)) {",
    replace: "else if (this.#executionId > 1 || !asksToEnd(message, this.#index.started)) {",
  },
  "forgets which execution of the parent waits for a child that continues as new": {
    file: "core/src/replay/history/outgoing.ts",
    find: "    ...(started.parent_execution_id !== undefined && { parent_execution_id: started.parent_execution_id }),\n",
    replace: "",
  },
  "ends a shutdown before the attempts that it cut off are forgiven": {
    file: "core/src/runtime/runtime.ts",
    find: "      await sleep(clock, forgiveMs, finished.signal);\n",
    replace: "",
  },
  "puts the messages that an execution inherits behind newer ones": {
    file: "core/src/runtime/messages/batch.ts",
    find: '      ...carriedMessages(start),\n      ...rest.filter(({ kind }) => kind !== "StartOrchestration" && kind !== "ContinueAsNew"),',
    replace:
      '      ...rest.filter(({ kind }) => kind !== "StartOrchestration" && kind !== "ContinueAsNew"),\n      ...carriedMessages(start),',
  },
  "stores an outcome again with the token of the first delivery": {
    file: "core/src/runtime/activities/activity-ack.ts",
    find: "  for (let attempt = 0; ; attempt++) {\n    const { token } = lock;",
    replace: "  const { token } = lock;\n  for (let attempt = 0; ; attempt++) {",
  },
  "runs the handler of another step": {
    file: "core/src/replay/code/open-calls.ts",
    find: "return this.#calls.get(eventId)?.step;",
    replace: "void eventId;\n    return this.#calls.find(({ step }) => step !== undefined)?.step;",
  },
  "takes a step over with the newest code of its orchestration": {
    file: "core/src/runtime/activities/steps.ts",
    find: "registry.resolve(started.name, started.version)",
    replace: "registry.resolve(started.name, null)",
  },
  "takes a step over without the key-values of earlier executions": {
    file: "core/src/runtime/activities/steps.ts",
    find: "    if (executionId === 1) return new Map();",
    replace: "    if (executionId >= 1) return new Map();",
  },
  "undoes the first step of a saga first": {
    file: "core/src/replay/code/undo-stack.ts",
    find: "[...(this.#calls?.keys() ?? [])].reverse()",
    replace: "[...(this.#calls?.keys() ?? [])]",
  },
  "undoes the steps again that a saga has undone by hand": {
    file: "core/src/replay/code/undo-stack.ts",
    find: 'await this.#undo(call, "first");\n        this.remove(call);',
    replace: 'await this.#undo(call, "first");\n        this.push(call);',
  },
  "takes each step of a saga for uncertain": {
    file: "core/src/replay/context/saga.ts",
    find: "undoing.done = { value };",
    replace: "void undoing;",
  },
  "lets a logger that throws fail the work": {
    file: "core/src/guard/observer-calls.ts",
    find: "      this.failed(error);\n      return undefined;",
    replace: "      throw error;",
  },
  "fires a due time again after a takeover": {
    file: "core/src/runtime/turns/run-schedule.ts",
    find: "  const ack = content ??",
    replace: `  for (const item of content?.orchestratorItems ?? []) {
    if (item.kind !== "StartOrchestration") continue;
    if (fetched.attemptCount > 1) Object.assign(item, { instance: item.instance + "-again" });
    await provider.enqueueForOrchestrator(item);
  }
  const ack = content ??`,
  },
  "skips a due time when a clock jumps over two": {
    file: "core/src/schedules/schedule-turn.ts",
    find: "      this.#state.decidedMs = due;\n      this.#decide(due);",
    replace: "      this.#state.decidedMs = this.#nowMs;\n      this.#decide(due);",
  },
  "stores the outcome of an activity before what it has written to streams": {
    file: "core/src/runtime/activities/activity-run.ts",
    find: "return run.endWrites === undefined ? outcome : await withWrites(delivery, outcome, run.endWrites);",
    replace:
      "return run.endWrites === undefined ? outcome : (void withWrites(delivery, outcome, run.endWrites), outcome);",
  },
  "counts what the earlier delivery of an activity has written to a stream": {
    file: "core/src/contract/stream-attempts.ts",
    find: "return { attempt, since: next, repeated: 0, voids: last?.since };",
    replace:
      "return { attempt: last?.attempt ?? attempt, since: last?.since ?? next, repeated: 0, voids: undefined };",
  },
  "tells a reader that resumes nothing of a reset": {
    file: "core/src/client/streams/page-entries.ts",
    find: "if (fromOffset < this.at) yield",
    replace: "if (fromOffset < this.at - 1_000_000) yield",
  },
});
