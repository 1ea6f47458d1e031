/**
 * The beginning of an execution: duplicates of its start change nothing, and a start without fitting code waits and
 * does not harm later messages. Catalogue: race_replay, the first four.
 */
import { orchestration } from "@duroxide-ts/core";
import { DUROXIDE_VERSION, type WorkItemOf } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import { completion, startItem } from "../messages.ts";
import { fetchOrchestration } from "../steps.ts";
import { begun, continued, eventsOf, type Leftover, late, leave } from "./race-replay-leftovers.ts";
import { clientOf, endOf, startRuntime } from "./race-replay-runtime.ts";

type Start = WorkItemOf<"StartOrchestration">;

/** How long a runtime without the handler hides the start. */
const HIDDEN_MS = 1_000;

const LOCK_MS = 1_000;

/** The runtime that has no handler for an orchestration needs some other one. */
const bystander = orchestration("Bystander", async () => "idle");

const moving = orchestration("Moving", async (ctx) => {
  const first = await ctx.dequeue<string>("inbox");
  return `${first},${await ctx.dequeue<string>("inbox")}`;
});

export const raceReplaySuccessors: readonly ProviderCase[] = casesOf("race_replay", {
  async test_duplicate_start_preserves_pinned_handler(context) {
    const { provider, check } = context;
    const pinned = orchestration("Original", async (ctx, input: string) => {
      return `1.0.0 ${input} ${await ctx.scheduleActivity("work")}`;
    });
    const newest = orchestration("Original", { version: "2.0.0" }, async () => "2.0.0");
    const impostor = orchestration("Impostor", async () => "impostor");
    const duplicates = { "same name": "Original", "another handler": "Impostor" };

    const left = Object.keys(duplicates).map((instance) => ({
      instance,
      events: eventsOf(instance, DUROXIDE_VERSION, [
        begun("Original", { input: '"original"' }),
        ["ActivityScheduled", { name: "work", input: "null" }],
      ]),
    }));
    await leave(context, ...left);
    for (const [instance, name] of Object.entries(duplicates)) {
      const more = { orchestration: name, version: null, input: '"duplicate"' };
      await provider.enqueueForOrchestrator(startItem(instance, more));
      await provider.enqueueForOrchestrator(completion(instance, 2, '"done"'));
    }
    await using _runtime = await startRuntime(context, { orchestrations: [pinned, newest, impostor] });

    for (const { instance, events } of left) {
      check.equal(await endOf(context, instance), { output: "1.0.0 original done" }, instance);
      const history = await provider.readHistory(instance);
      check.equal(history.slice(0, events.length), [...events], `${instance}: the beginning of the history`);
    }
  },

  async test_continue_as_new_unregistered_backoff(context) {
    const { provider, check, time } = context;
    const left = continued("a", DUROXIDE_VERSION);
    await leave(context, left);
    {
      await using _without = await startRuntime(context, { orchestrations: [bystander] });
      await time.pass(HIDDEN_MS / 4);
    }
    check.absent(await fetchOrchestration(context), "the start while it is hidden");

    await clientOf(context).handle(moving, "a").enqueue("inbox", "late");
    await using _runtime = await startRuntime(context, { orchestrations: [moving] });

    check.equal(await endOf(context, "a"), { output: "carried,late" }, "the successor");
    check.equal(await provider.readHistory("a", 1), left.events, "execution 1");
  },

  async test_continue_as_new_poisoned_successor_is_own_execution(context) {
    const { provider, check, time } = context;
    const left = continued("a", DUROXIDE_VERSION);
    await leave(context, left);
    {
      await using _runtime = await startRuntime(context, {
        orchestrations: [bystander],
        maxAttempts: 1,
        orchestratorLockTimeoutMs: LOCK_MS,
      });
      const end = await endOf(context, "a");
      check.matches(JSON.stringify(end), /"failure":".*poison/, "how the instance ended");
      check.equal(await provider.readHistory("a", 1), left.events, "execution 1");
      const types = (await provider.readHistory("a", 2)).map(({ type }) => type);
      check.equal(types, ["OrchestrationStarted", "OrchestrationFailed"], "execution 2");

      await provider.enqueueForOrchestrator(late("a"));
      await time.pass(HIDDEN_MS / 4);
    }
    await time.pass(LOCK_MS);
    check.absent(await fetchOrchestration(context), "the late message, acknowledged away");
    check.equal((await provider.readHistory("a", 2)).length, 2, "events of execution 2");
  },

  async test_continue_as_new_duplicate_start(context) {
    const { provider, check } = context;
    const parent = orchestration("Parent", async (ctx, child: string) => {
      const result = ctx.scheduleSubOrchestration("Moving", null, { instanceId: child });
      return result.catch((error: Error) => error.message);
    });
    const stamps = ["0.1.30", "0.1.31"];
    const left = stamps.flatMap((stamp) => {
      const [alone, claimed] = [continued(`alone ${stamp}`, stamp), continued(`claimed ${stamp}`, stamp)];
      return [
        { ...alone, sentMeanwhile: [duplicateStart(alone.instance)] },
        { ...claimed, sentMeanwhile: [claim(claimed.instance)] },
      ];
    });
    const parents = stamps.map((stamp) => parentOf(`claimed ${stamp}`));
    await leave(context, ...left, ...parents);
    for (const { instance } of left) await provider.enqueueForOrchestrator(late(instance));
    await using _runtime = await startRuntime(context, { orchestrations: [moving, parent] });

    for (const { instance, events } of left) {
      check.equal(await endOf(context, instance), { output: "carried,late" }, instance);
      check.equal(await provider.readHistory(instance, 1), events, `${instance}: execution 1`);
    }
    for (const { instance } of parents) {
      check.matches(JSON.stringify(await endOf(context, instance)), /"output":".*already exists/, instance);
    }
  },
});

function duplicateStart(instance: string, more: Partial<Start> = {}): Start {
  return startItem(instance, { orchestration: "Moving", input: '"duplicate"', ...more });
}

/** A parent that waits for a child whose id is taken. */
function parentOf(child: string): Leftover {
  const instance = `parent of ${child}`;
  const events = eventsOf(instance, DUROXIDE_VERSION, [
    begun("Parent", { input: JSON.stringify(child) }),
    ["SubOrchestrationScheduled", { name: "Moving", instance: child, input: "null" }],
  ]);
  return { instance, events };
}

/** The start of that child. */
function claim(child: string): Start {
  const { instance } = parentOf(child);
  return duplicateStart(child, { parent_instance: instance, parent_id: 2, parent_execution_id: 1 });
}
