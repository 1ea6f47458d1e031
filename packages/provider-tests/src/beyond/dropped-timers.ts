/** A commit removes the messages of the timers that it drops (docs/reference/provider-contract.md §7.2). */
import type { TimerId } from "@duroxide-ts/core/stores";
import { casesOf, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { completion, eventOf, raised, startItem, timer } from "../messages.ts";
import {
  ack,
  createInstance,
  fetchOrchestration,
  firstTurn,
  given,
  mustFetch,
  mustFetchWork,
  turn,
} from "../steps.ts";
import { ackFused, fused, running } from "./fused-steps.ts";
import { drain } from "./observe.ts";
import { revised, runningInstance, standing } from "./revision-steps.ts";

const DUE_MS = 5_000;

const dropped = (fireAtMs: number, timerId: number, executionId = 1): TimerId => ({
  executionId,
  timerId,
  fireAtMs,
});

/** The ids of the timers of instance "a" that fire when all are due. */
async function firing(context: CaseContext): Promise<readonly unknown[]> {
  await context.time.pass(DUE_MS + 100);
  const { messages } = await drain(context);
  return (messages.get("a") ?? []).flatMap((item) => (item.kind === "TimerFired" ? [item.id] : []));
}

/** Instance "a" with these timers, all due after `DUE_MS`; returns when. */
async function withTimers(context: CaseContext, ...ids: readonly number[]): Promise<number> {
  const dueAtMs = context.time.now() + DUE_MS;
  await createInstance(context, "a", { orchestratorItems: ids.map((id) => timer("a", dueAtMs, id)) });
  return dueAtMs;
}

export const droppedTimers: readonly ProviderCase[] = casesOf("dropped_timers", {
  async "a dropped timer leaves no row"(context) {
    const { check, admin } = context;
    const dueAtMs = await withTimers(context, 2);
    check.equal((await admin.getQueueDepths()).timerQueue, 1, "timers before");
    await turn(context, "a", { droppedTimers: [dropped(dueAtMs, 2)] });
    check.equal((await admin.getQueueDepths()).timerQueue, 0, "timers after");
    check.equal(await firing(context), [], "what fires");
  },

  async "timers of the same time stay, and those of another execution or instance"(context) {
    const dueAtMs = await withTimers(context, 2, 3);
    await createInstance(context, "b", { orchestratorItems: [timer("b", dueAtMs, 2)] });
    await turn(context, "a", { droppedTimers: [dropped(dueAtMs, 2), dropped(dueAtMs, 3, 2)] });
    await context.time.pass(DUE_MS + 100);
    const { messages } = await drain(context);
    context.check.equal(messages.get("a"), [timer("a", dueAtMs, 3)], "messages of a");
    context.check.equal(messages.get("b"), [timer("b", dueAtMs, 2)], "messages of b");
  },

  async "unknown timers are ignored"(context) {
    const dueAtMs = await withTimers(context, 2);
    const unknown = [7, 8, 9, 10].map((id) => dropped(dueAtMs, id));
    await turn(context, "a", {
      historyDelta: [eventOf("KeyValuesCleared", "a", 2, {})],
      droppedTimers: unknown,
    });
    context.check.equal((await context.provider.readHistory("a")).length, 2, "events");
    context.check.equal(await firing(context), [2], "what fires");
  },

  async "a hundred and twenty of a hundred and fifty timers"(context) {
    const ids = Array.from({ length: 150 }, (_, n) => n + 2);
    const dueAtMs = await withTimers(context, ...ids);
    const some = ids.filter((id) => id % 5 !== 0);
    await turn(context, "a", { droppedTimers: some.map((id) => dropped(dueAtMs, id)) });
    context.check.equal(
      await firing(context),
      ids.filter((id) => id % 5 === 0),
      "what fires",
    );
  },

  async "a timer that is due, or in the batch, can be dropped"(context) {
    const dueAtMs = await withTimers(context, 2, 3);
    await context.time.pass(DUE_MS + 100);
    const fetched = await mustFetch(context);
    context.check.equal(fetched.item.messages.length, 2, "messages of the turn");
    await ack(context, fetched, { droppedTimers: [dropped(dueAtMs, 2)] });
    context.check.absent(await fetchOrchestration(context), "a message of the dropped timer");
  },

  async "a timer that was given back with a delay can be dropped"(context) {
    const dueAtMs = await withTimers(context, 2);
    await context.time.pass(DUE_MS + 100);
    const { lockToken } = await mustFetch(context);
    await context.provider.abandonOrchestrationItem(lockToken, { delayMs: DUE_MS });
    await turn(context, "a", { droppedTimers: [dropped(dueAtMs, 2)] });
    context.check.equal(await firing(context), [], "what fires");
  },

  async "other messages of the instance come at their time"(context) {
    const { provider, check, time } = context;
    const dueAtMs = await withTimers(context, 2);
    await provider.enqueueForOrchestrator(raised("a", "later"), 2 * DUE_MS);
    await turn(context, "a", { droppedTimers: [dropped(dueAtMs, 2)] });
    await time.pass(DUE_MS + 100);
    check.absent(await fetchOrchestration(context), "a message before its time");
    await time.pass(DUE_MS);
    check.equal((await mustFetch(context)).item.messages, [raised("a", "later")], "the messages");
  },

  async "ids that no timer can have are refused"(context) {
    const { check, time } = context;
    await createInstance(context, "a", { orchestratorItems: [raised("a", "poke")] });
    const fetched = await mustFetch(context);
    for (const wrong of [
      dropped(time.now(), 0),
      dropped(-1, 2),
      dropped(time.now(), 2, 0),
      { deadlineMs: -1 },
    ]) {
      const refused = ack(context, fetched, { droppedTimers: [wrong] });
      await check.rejects(refused, "invalid-input", JSON.stringify(wrong));
    }
  },

  ...needing(["history-tags"], {
    async "a fused turn drops timers"(context) {
      const { check, time } = context;
      const dueAtMs = time.now() + DUE_MS;
      const { works } = await running(context);
      await context.provider.enqueueForOrchestrator(raised("a", "poke"));
      const { historyTag } = await ack(context, await mustFetch(context), {
        orchestratorItems: [timer("a", dueAtMs, 9), timer("a", dueAtMs, 10)],
      });
      const state = { historyTag: given(historyTag, "no tag"), works };
      const outcome = await ackFused(context, fused(state, { droppedTimers: [dropped(dueAtMs, 9)] }));
      check.equal(outcome.kind, "committed", "the outcome");
      check.equal(await firing(context), [10], "what fires");
    },
  }),

  async "the deadline of a start is dropped by its time, and comes at its time as a message of a commit"(
    context,
  ) {
    const { provider, check, time } = context;
    const deadlineMs = time.now() + DUE_MS;
    const item = {
      kind: "CancelInstance",
      instance: "a",
      reason: "timeout",
      deadline_ms: deadlineMs,
    } as const;
    const deadline = { item, delayMs: DUE_MS };
    await provider.startInstance(startItem("a"), { ifExists: "fail", messages: [], deadline });
    await firstTurn(context, await mustFetch(context));
    await turn(context, "a", { droppedTimers: [{ deadlineMs: deadlineMs + 1 }] });
    await turn(context, "a", { droppedTimers: [{ deadlineMs }] });
    await time.pass(DUE_MS + 100);
    check.absent(await fetchOrchestration(context), "the deadline");
    const again = { ...item, deadline_ms: time.now() + DUE_MS };
    await turn(context, "a", { orchestratorItems: [again] });
    check.absent(await fetchOrchestration(context), "the deadline before its time");
    await time.pass(DUE_MS + 100);
    check.equal((await mustFetch(context)).item.messages, [again], "the messages");
  },

  async "a change by hand drops timers"(context) {
    const { check, time } = context;
    await runningInstance(context);
    const work = await mustFetchWork(context);
    await context.provider.ackWorkItem(work.lockToken, completion("a", 2));
    const dueAtMs = time.now() + DUE_MS;
    await ack(context, await mustFetch(context), {
      orchestratorItems: [timer("a", dueAtMs, 3), timer("a", dueAtMs, 4)],
    });
    await revised(context, {
      instanceId: "a",
      expected: standing("Running"),
      turn: {
        executionId: 1,
        historyDelta: [],
        workerItems: [],
        orchestratorItems: [],
        metadata: { status: "Failed", output: "ended" },
        cancelledActivities: [],
        droppedTimers: [dropped(dueAtMs, 3)],
      },
    });
    check.equal(await firing(context), [4], "what fires");
  },
});
