/**
 * The decision of a race is in the history, and stays so: stored events come back as they were written, their version
 * stamp included, and messages in the order of their arrival. Catalogue: race_replay, the last five.
 */
import { type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { replay } from "@duroxide-ts/core/testing";
import { casesOf, type ProviderCase } from "../case.ts";
import { raised, started, timer } from "../messages.ts";
import { createInstance, mustFetch } from "../steps.ts";
import { recordedRaces } from "./race-replay-histories.ts";
import { begun, eventsOf, type Line, leave } from "./race-replay-leftovers.ts";
import { clientOf, endOf, startRuntime } from "./race-replay-runtime.ts";

type Program = (ctx: OrchestrationContext, execution: number) => Promise<unknown>;

const timeout: Line = ["TimerCreated", { fire_at_ms: 1_000 }];
const dequeued: Line = ["ExternalSubscribedPersistent", { name: "inbox" }];

/** Ways to leave a message unread: the name says what execution 1 does before it continues as new. */
const UNREAD: Readonly<Record<string, Program>> = {
  "the dequeue lost": async (ctx) => {
    await ctx.race([ctx.dequeue("inbox"), ctx.scheduleTimer(1_000)]);
  },
  "the dequeue is held": async (ctx) => {
    void ctx.dequeue("inbox");
    await ctx.scheduleTimer(1_000);
  },
  "the dequeue lost, one message is read": async (ctx) => {
    await ctx.race([ctx.dequeue("inbox"), ctx.scheduleTimer(1_000)]);
    await ctx.dequeue("inbox");
  },
  "the dequeue is held, the other one is read": async (ctx) => {
    const first = ctx.dequeue("inbox");
    await ctx.scheduleTimer(1_000);
    void ctx.dequeue("inbox");
    await first;
  },
};

export const raceReplayDecisions: readonly ProviderCase[] = casesOf("race_replay", {
  async test_queue_race_cancellation_replay(context) {
    const { provider, check } = context;
    const orchestrations = Object.entries(recordedRaces).map(([name, { program }]) =>
      orchestration(name, program),
    );
    const left = Object.entries(recordedRaces).map(([instance, race]) => ({
      ...race,
      instance,
      events: eventsOf(instance, "0.1.31", race.lines),
    }));
    await leave(context, ...left);
    for (const { instance, events } of left) {
      check.equal(await provider.readHistory(instance, 1), events, `${instance}: the stored history`);
    }
    await using _runtime = await startRuntime(context, { orchestrations });

    for (const { instance, events, lastMessage, output } of left) {
      await clientOf(context).handle(instance, instance).enqueue("jobs", lastMessage);
      check.equal(await endOf(context, instance), { output }, instance);
      const history = await provider.readHistory(instance, 1);
      check.equal(history.slice(0, events.length), [...events], `${instance}: the history, after the replay`);
    }
  },

  async test_continue_as_new_queue_race_replay(context) {
    const { provider, check } = context;
    const orchestrations = Object.entries(UNREAD).map(([name, program]) =>
      orchestration(name, async (ctx) => {
        if (ctx.executionId === 2) return ctx.dequeue("inbox");
        await program(ctx, 1);
        return ctx.continueAsNew(name);
      }),
    );
    const instances = Object.keys(UNREAD);
    const left = instances.map((instance) => ({
      instance,
      events: eventsOf(instance, "0.1.31", [begun(instance), dequeued, timeout]),
    }));
    await leave(context, ...left);
    for (const instance of instances) {
      await provider.enqueueForOrchestrator(timer(instance, 1_000, 3));
      for (const data of ['"m1"', '"m2"']) {
        await provider.enqueueForOrchestrator({ kind: "QueueMessage", instance, name: "inbox", data });
      }
    }
    await using _runtime = await startRuntime(context, { orchestrations });

    for (const instance of instances) {
      const unread = instance.endsWith("read") ? "m2" : "m1";
      check.equal(await endOf(context, instance), { output: unread }, instance);
    }
  },

  async test_queue_replay_version_stamp_roundtrip(context) {
    const { provider, check } = context;
    const stamped = { ...started("a"), duroxide_version: "0.1.30" };
    await createInstance(context, "b");
    await leave(context, { instance: "a", events: [stamped] });

    check.equal(await provider.readHistory("a", 1), [stamped], "read with its execution");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    check.equal((await mustFetch(context)).item.history, [stamped], "fetched");
  },

  async test_positional_wait_race_replay(context) {
    const { provider, check, time } = context;
    const vote = orchestration("Vote", async (ctx) => {
      const votes: unknown[] = [];
      for (;;) {
        const { index, value } = await ctx.race([ctx.waitForEvent("vote"), ctx.scheduleTimer(30_000)]);
        if (index === 1 || value === "last") return votes;
        votes.push(value);
      }
    });
    await using _runtime = await startRuntime(context, { orchestrations: [vote] });
    const handle = await clientOf(context).start(vote, { instanceId: "a" });
    for (const value of ["yes", "no", "last"]) {
      await time.pass(500);
      await handle.raise("vote", value);
    }

    check.equal(await endOf(context, "a"), { output: ["yes", "no"] }, "live");
    const history = await provider.readHistory("a");
    for (const attempt of ["first", "second"]) {
      const { executions } = await replay(history, { orchestrations: [vote] });
      const [{ status, eventCount, next } = {}] = executions;
      check.equal(
        { status, eventCount, next },
        { status: "Completed", eventCount: history.length, next: [] },
        `${attempt} replay`,
      );
    }
  },

  async test_legacy_queue_race_decision_preserved(context) {
    const { provider, check, time } = context;
    const decisions = { "0.1.30": "second-timeout", "0.1.31": "first" };
    const racing = orchestration("Racing", async (ctx) => {
      const [early, first] = [ctx.dequeue("inbox"), ctx.scheduleTimer(1_000)];
      const [later, second] = [ctx.dequeue("inbox"), ctx.scheduleTimer(1_000)];
      await ctx.race([early, first]);
      const winner = await ctx.race([later, second]);
      return winner.index === 0 ? winner.value : "second-timeout";
    });
    const lines = [begun("Racing"), dequeued, timeout, dequeued, timeout];
    const stamps = Object.keys(decisions);
    await leave(
      context,
      ...stamps.map((stamp) => ({ instance: stamp, events: eventsOf(stamp, stamp, lines) })),
    );
    for (const instance of stamps) {
      const first = { kind: "QueueMessage", instance, name: "inbox", data: '"first"' } as const;
      // Between the timers by its order time, as it is by its place in the queue.
      const afterwards = timer(instance, time.now() + 60_000, 5);
      for (const item of [timer(instance, 1_000, 3), first, afterwards]) {
        await provider.enqueueForOrchestrator(item);
      }
    }
    await using _runtime = await startRuntime(context, { orchestrations: [racing] });

    for (const [instance, output] of Object.entries(decisions)) {
      check.equal(await endOf(context, instance), { output }, `begun by ${instance}`);
    }
  },
});
