/**
 * Small random programs of waits, dequeues, races and cancellations, fed with random messages. Kept in memory,
 * replayed at every turn, or moved to another runtime between any two messages: the results are the same.
 */
import {
  activity,
  event,
  type OrchestrationContext,
  orchestration,
  queue,
  type StandardSchema,
  sleep,
  type Task,
} from "@duroxide-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs, SEED } from "../support/effort.ts";
import { startEnvironment } from "../support/environment.ts";
import { cosmos } from "../support/stores/cosmos.ts";
import { sqlite } from "../support/stores/sqlite.ts";
import type { StoreKind } from "../support/stores/store.ts";

type Leaf =
  | { readonly kind: "wait" | "dequeue"; readonly name: string; readonly takes: "all" | "even" }
  | { readonly kind: "timer"; readonly ms: number }
  | { readonly kind: "activity" };

type Step =
  | { readonly kind: "await"; readonly leaf: Leaf }
  | { readonly kind: "hold"; readonly leaf: Leaf }
  | { readonly kind: "library"; readonly leaf: Leaf }
  | { readonly kind: "cancel-held" | "await-held"; readonly index: number }
  | { readonly kind: "race"; readonly leaves: readonly Leaf[]; readonly keep: boolean }
  | { readonly kind: "all"; readonly leaves: readonly Leaf[] }
  | { readonly kind: "branches"; readonly first: readonly Leaf[]; readonly second: readonly Leaf[] }
  | { readonly kind: "continue-as-new" };

type Stimulus =
  | { readonly kind: "event" | "queue"; readonly name: string }
  | { readonly kind: "time"; readonly ms: number };

const name = fc.constantFrom("a", "b");
const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("wait" as const, "dequeue" as const),
    name,
    takes: fc.constantFrom("all" as const, "even" as const),
  }),
  fc.record({ kind: fc.constant("timer" as const), ms: fc.constantFrom(0, 100, 1_000) }),
  fc.record({ kind: fc.constant("activity" as const) }),
);
const leaves = fc.array(leaf, { minLength: 1, maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("await" as const), leaf }),
  fc.record({ kind: fc.constant("hold" as const), leaf }),
  fc.record({ kind: fc.constant("library" as const), leaf }),
  fc.record({ kind: fc.constantFrom("cancel-held" as const, "await-held" as const), index: fc.nat(2) }),
  fc.record({ kind: fc.constant("race" as const), leaves, keep: fc.boolean() }),
  fc.record({ kind: fc.constant("all" as const), leaves }),
  fc.record({ kind: fc.constant("branches" as const), first: leaves, second: leaves }),
  fc.record({ kind: fc.constant("continue-as-new" as const) }),
);
const program = fc.array(step, { minLength: 1, maxLength: 6 });
const stimulus: fc.Arbitrary<Stimulus> = fc.oneof(
  fc.record({ kind: fc.constantFrom("event" as const, "queue" as const), name }),
  fc.record({ kind: fc.constant("time" as const), ms: fc.constantFrom(50, 100, 1_500) }),
);
/** Groups of stimuli; those of a group arrive at once. */
const stimuli = fc.array(fc.array(stimulus, { minLength: 1, maxLength: 3 }), { maxLength: 8 });

/** Messages are numbers, so half of them do not fit. */
const even: StandardSchema<unknown, number> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) =>
      typeof value === "number" && value % 2 === 0 ? { value } : { issues: [{ message: "is odd" }] },
  },
};

function start(ctx: OrchestrationContext, call: Leaf): Task<unknown> {
  if (call.kind === "wait" || call.kind === "dequeue") {
    const { kind, name, takes } = call;
    const schema = takes === "even" ? { schema: even } : {};
    return kind === "wait" ? ctx.waitForEvent(event(name, schema)) : ctx.dequeue(queue(name, schema));
  }
  return call.kind === "timer" ? ctx.scheduleTimer(call.ms) : ctx.scheduleActivity("step");
}

const interpreter = orchestration("interpreter", async (ctx, steps: readonly Step[]): Promise<unknown> => {
  const held: Task<unknown>[] = [];
  const seen: unknown[] = [];
  for (const [index, current] of steps.entries()) {
    seen.push(await perform(ctx, current, held).catch((error: Error) => error.name));
    ctx.kv.set("seen", seen);
    if (current.kind === "continue-as-new") return ctx.continueAsNew("interpreter", steps.slice(index + 1));
  }
  return seen;
});

async function perform(ctx: OrchestrationContext, current: Step, held: Task<unknown>[]): Promise<unknown> {
  switch (current.kind) {
    case "await":
      return start(ctx, current.leaf);
    case "hold":
      held.push(start(ctx, current.leaf));
      return "held";
    case "library":
      return ctx.deterministic(async () => {
        const drawn = Math.random();
        const value = await start(ctx, current.leaf);
        return [drawn, value, Math.random(), Date.now() === ctx.now()];
      });
    case "cancel-held":
      held[current.index]?.cancel();
      return "cancelled";
    case "await-held":
      return held[current.index];
    case "race":
      return ctx.race(
        current.leaves.map((call) => start(ctx, call)),
        { keep: current.keep },
      );
    case "all":
      return ctx.all(current.leaves.map((call) => start(ctx, call)));
    case "branches":
      return ctx.race([current.first, current.second].map((calls) => (branch) => inOrder(branch, calls)));
    case "continue-as-new":
      return "next";
  }
}

async function inOrder(ctx: OrchestrationContext, calls: readonly Leaf[]): Promise<unknown> {
  const values: unknown[] = [];
  for (const call of calls) values.push(await start(ctx, call));
  return values;
}

async function play(
  store: StoreKind,
  steps: readonly Step[],
  groups: readonly (readonly Stimulus[])[],
  how: Mode,
) {
  await using env = await startEnvironment({
    store,
    orchestrations: [interpreter],
    options: { liveExecutions: how === "replayed" ? 0 : 1_000, workerTagFilter: { kind: "none" } },
  });
  // Each takes its time, so that no two of them happen to end in one batch.
  const stepActivity = activity("step", async (ctx) => {
    await sleep(env.clock, 10);
    // What is drawn for the run differs from play to play.
    return ctx.idempotencyKey.replace(/:[0-9a-f]{16}:/, ":");
  });
  await env.startAnother({ activities: [stepActivity] });
  const handle = await env.begin(interpreter, { instanceId: "i", input: steps });
  let sent = 0;
  for (const group of groups) {
    await Promise.all(
      group.map((what) => {
        if (what.kind === "time") return undefined;
        const method = what.kind === "event" ? "raise" : "enqueue";
        return handle[method]<unknown>(what.name, sent++, { ifMissing: "keep" });
      }),
    );
    await env.settle();
    await env.advance(group.reduce((sum, what) => sum + (what.kind === "time" ? what.ms : 0), 0));
    if (how === "moved") await env.restart();
  }
  await env.advance(5_000);
  return { histories: await env.allHistories(), status: await handle.status() };
}

type Mode = "kept" | "replayed" | "moved";

/** A program on Cosmos DB takes much longer than one on SQLite. */
const STORES = [
  { store: sqlite, programs: 100 },
  { store: cosmos, programs: 10 },
];

describe.each(STORES)("on $store.name", ({ store, programs }) => {
  // turn.T1, turn.T2, history-index.H1
  it("an execution has the same result whether it is kept in memory, replayed or moved", {
    timeout: 900_000,
  }, async ({ skip }) => {
    if (store.time === "real") skip("it moves time, and the time of an account cannot be moved");
    await fc.assert(
      fc.asyncProperty(program, stimuli, async (steps, groups) => {
        const kept = await play(store, steps, groups, "kept");
        expect(await play(store, steps, groups, "replayed")).toEqual(kept);
        expect(await play(store, steps, groups, "moved")).toEqual(kept);
      }),
      { seed: SEED, numRuns: runs(programs) },
    );
  });
});
