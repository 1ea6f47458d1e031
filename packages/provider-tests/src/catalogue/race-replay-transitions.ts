/**
 * Tests what happens between the end of one execution and the start of the next: the start is hidden for a while, and
 * meanwhile messages of every kind arrive. Catalogue: race_replay, the fifth, once for each way in which runtimes treat
 * lost races.
 */
import { type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { DUROXIDE_VERSION, type HistoryEvent, type OrchestratorItem } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { completion, timer } from "../messages.ts";
import { mustFetch } from "../steps.ts";
import { continued, late, leave } from "./race-replay-leftovers.ts";
import { endOf, startRuntime } from "./race-replay-runtime.ts";

/** How long the start is hidden. Arrivals that a runtime gives back meanwhile come when the second execution is under way. */
const HIDDEN_MS = 2_000;

/** Arrivals between two executions, what the second one does, and how that ends. */
interface Shape {
  readonly arrives: (instance: string) => readonly OrchestratorItem[];
  readonly program: (ctx: OrchestrationContext) => Promise<unknown>;
  /** The end as JSON: `{"output":…}` or `{"failure":…}`. */
  readonly ends: RegExp;
  /** Events that the second execution records of what arrived, and of what it inherited. */
  readonly records: readonly HistoryEvent["type"][];
}

/** Answers to what execution 1 asked for. */
function stale(instance: string): readonly OrchestratorItem[] {
  return [completion(instance, 2, '"stale"'), timer(instance, 1, 3)];
}

const CARRIED = "ExternalEventPersistent";

/** Neither is lost or doubled, and the older one comes first. */
const BOTH = /^{"output":"carried,late"}$/;

const twoMessages = async (ctx: OrchestrationContext): Promise<string> => {
  const first = await ctx.dequeue<string>("inbox");
  return `${first},${await ctx.dequeue<string>("inbox")}`;
};

const SHAPES: Readonly<Record<string, Shape>> = {
  queue: {
    arrives: (instance) => [late(instance)],
    program: twoMessages,
    ends: BOTH,
    records: [CARRIED, "ExternalEventPersistent"],
  },
  race: {
    arrives: (instance) => [late(instance)],
    program: async (ctx) => {
      const first = await ctx.race([ctx.dequeue("inbox"), ctx.scheduleTimer(30_000)]);
      const second = await ctx.race([ctx.dequeue("inbox"), ctx.scheduleTimer(30_000)]);
      return `${first.value},${second.value}`;
    },
    ends: BOTH,
    records: [CARRIED, "ExternalEventPersistent"],
  },
  "mixed-stale": {
    arrives: (instance) => [...stale(instance), late(instance)],
    program: twoMessages,
    ends: BOTH,
    records: [CARRIED, "ExternalEventPersistent"],
  },
  signal: {
    arrives: (instance) => [{ kind: "ExternalRaised", instance, name: "go", data: '"late"' }],
    program: async (ctx) => `${await ctx.dequeue("inbox")},${await ctx.waitForEvent("go")}`,
    ends: BOTH,
    records: [CARRIED, "ExternalEvent"],
  },
  cancel: {
    arrives: (instance) => [{ kind: "CancelInstance", instance, reason: "late" }],
    program: twoMessages,
    ends: /^{"failure":"canceled: late"}$/,
    records: [CARRIED, "OrchestrationCancelRequested"],
  },
  "future-completion": {
    arrives: (instance) => [{ kind: "ActivityCompleted", instance, execution_id: 2, id: 99, result: "null" }],
    program: twoMessages,
    ends: /^{"failure":"nondeterministic/,
    records: [CARRIED],
  },
  "stale-only": {
    arrives: stale,
    program: async (ctx) => {
      const carried = await ctx.dequeue("inbox");
      await ctx.scheduleTimer(HIDDEN_MS);
      return carried;
    },
    ends: /^{"output":"carried"}$/,
    records: [CARRIED, "TimerFired"],
  },
};

/** Events that come from outside the execution. */
const ARRIVALS: ReadonlySet<HistoryEvent["type"]> = new Set([
  "ActivityCompleted",
  "ExternalEvent",
  "ExternalEventPersistent",
  "OrchestrationCancelRequested",
  "TimerFired",
]);

export const raceReplayTransitions: readonly ProviderCase[] = casesOf("race_replay", {
  test_continue_as_new_transition_delivery: (context) => transitionDelivery(context, "0.1.31"),
  "test_continue_as_new_transition_delivery (0.1.30)": (context) => transitionDelivery(context, "0.1.30"),
});

async function transitionDelivery(context: CaseContext, stamp: string): Promise<void> {
  const { provider, check } = context;
  const left = Object.entries(SHAPES).map(([name, shape]) => ({
    ...shape,
    ...continued(name, stamp, JSON.stringify(name)),
  }));
  await leave(context, ...left);
  for (const _each of left) {
    const { lockToken } = await mustFetch(context);
    await provider.abandonOrchestrationItem(lockToken, { delayMs: HIDDEN_MS });
  }
  for (const { instance, arrives } of left) {
    for (const item of arrives(instance)) await provider.enqueueForOrchestrator(item);
  }
  const successor = orchestration("Moving", async (ctx, shape: string) => SHAPES[shape]?.program(ctx));
  await using _runtime = await startRuntime(context, {
    orchestrations: [successor],
  });

  for (const { instance, events, ends, records } of left) {
    const end = await endOf(context, instance);
    check.matches(JSON.stringify(end), ends, `${instance}: how it ended`);
    check.equal(await provider.readHistory(instance, 1), events, `${instance}: execution 1`);
    const [first, ...rest] = await provider.readHistory(instance, 2);
    check.equal(first?.duroxide_version, DUROXIDE_VERSION, `${instance}: the version of execution 2`);
    const arrived = rest.map(({ type }) => type).filter((type) => ARRIVALS.has(type));
    check.equal(arrived, [...records], `${instance}: arrivals in execution 2`);
  }
}
