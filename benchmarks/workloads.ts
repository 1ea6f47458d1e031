/** The workloads, exactly those of the peers' baselines: what runs, how often, how many at a time. */
import { type AnyActivity, type AnyOrchestration, activity, orchestration } from "@duroxide-ts/core";

export interface Workload {
  readonly orchestration: string;
  readonly n: number;
  readonly concurrency: number;
  /** Number of units that one orchestration counts for. */
  readonly per: number;
  readonly unit: "orchestrations/s" | "activities/s";
}

export const WORKLOADS: Readonly<Record<string, Workload>> = {
  W1: { orchestration: "hello", n: 2000, concurrency: 100, per: 1, unit: "orchestrations/s" },
  W2: { orchestration: "sequence", n: 300, concurrency: 100, per: 10, unit: "activities/s" },
  W3: { orchestration: "fan-out", n: 100, concurrency: 100, per: 50, unit: "activities/s" },
  W4: { orchestration: "long", n: 1, concurrency: 1, per: 1000, unit: "activities/s" },
  W5: { orchestration: "hello", n: 100, concurrency: 1, per: 1, unit: "orchestrations/s" },
};

/** Instants at which the activities of the long orchestration ran, ms. */
export const ticks: number[] = [];

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);

const step = activity("step", async (_ctx, n: number) => {
  ticks.push(performance.now());
  return n;
});

const hello = orchestration("hello", async (ctx, name: string) => ctx.scheduleActivity(greet, name));

const sequence = orchestration("sequence", async (ctx, name: string) => {
  let last = name;
  for (let n = 0; n < 10; n++) last = await ctx.scheduleActivity(greet, `${name}-${n}`);
  return last;
});

/** The same with steps in place of activities. */
const inPlace = orchestration("sequence-in-place", async (ctx, name: string) => {
  let last = name;
  for (let n = 0; n < 10; n++) last = await ctx.run("greet", async () => `Hello, ${name}-${n}`);
  return last;
});

const fanOut = orchestration("fan-out", async (ctx, name: string) => {
  const greetings = await ctx.all(
    Array.from({ length: 50 }, (_, n) => ctx.scheduleActivity(greet, `${name}-${n}`)),
  );
  return greetings.length;
});

const long = orchestration("long", async (ctx, _name: string) => {
  for (let n = 0; n < 1000; n++) await ctx.scheduleActivity(step, n);
  return "done";
});

export const activities: readonly AnyActivity[] = [greet, step];
export const orchestrations: readonly AnyOrchestration[] = [hello, sequence, inPlace, fanOut, long];
