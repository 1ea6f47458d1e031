/** Programs that do nothing wrong. Each must end with its own result, whatever runs beside it. */
import { type AnyOrchestration, event, key, orchestration, queue } from "@duroxide-ts/core";
import { mustBe, type Plan, type Planner } from "./program.ts";
import { randomStep, randomSteps, type Step, type StepInput, sumOf } from "./step.ts";

export const letters = queue<number>("letters");
export const LETTERS: readonly number[] = [3, 1, 4, 1, 5];

export const go = event<number>("go");
export const GO = 7;

const ROUNDS = 4;
const CHILDREN = 3;

export function innocentOrchestrations(step: Step): readonly AnyOrchestration[] {
  const sequence = orchestration("sequence", async (ctx, steps: readonly StepInput[]) => {
    let sum = 0;
    for (const each of steps) sum += await ctx.scheduleActivity(step, each);
    return sum;
  });

  const fanOut = orchestration("fanOut", async (ctx, steps: readonly StepInput[]) => {
    const parts = await ctx.all(steps.map((each) => ctx.scheduleActivity(step, each)));
    return parts.reduce((sum, part) => sum + part, 0);
  });

  const timers = orchestration("timers", async (ctx, steps: readonly StepInput[]) => {
    for (const { ms } of steps) await ctx.scheduleTimer({ ms });
    return ctx.scheduleActivity(step, { value: steps.length, ms: 50 });
  });

  const signal = orchestration("signal", async (ctx, last: StepInput) => {
    const wait = ctx.waitForEvent(go);
    ctx.setCustomStatus("waiting");
    return (await wait) + (await ctx.scheduleActivity(step, last));
  });

  const mailbox = orchestration("mailbox", async (ctx, last: StepInput) => {
    const received: number[] = [];
    while (received.length < LETTERS.length) received.push(await ctx.dequeue(letters));
    return [...received, await ctx.scheduleActivity(step, last)];
  });

  const family = orchestration("family", async (ctx, steps: readonly StepInput[]) => {
    const children = Array.from({ length: CHILDREN }, () => ctx.scheduleSubOrchestration(sequence, steps));
    return ctx.all(children);
  });

  const total = key<number>("total");
  const eternal = orchestration("eternal", async (ctx, steps: readonly StepInput[]): Promise<number> => {
    const [first, ...rest] = steps;
    if (first === undefined) return ctx.kv.get(total) ?? 0;
    ctx.kv.set(total, (ctx.kv.get(total) ?? 0) + (await ctx.scheduleActivity(step, first)));
    return ctx.continueAsNew(eternal, rest);
  });

  return [sequence, fanOut, timers, signal, mailbox, family, eternal];
}

function innocent(plan: Pick<Plan, "name" | "input" | "needs">, expected: unknown): Plan {
  return { ...plan, group: "innocent", wrongEnd: mustBe(expected) };
}

const PLANNERS: readonly Planner[] = [
  (random) => {
    const input = randomSteps(random, 4);
    return innocent({ name: "sequence", input }, sumOf(input));
  },
  (random) => {
    const input = randomSteps(random, 8);
    return innocent({ name: "fanOut", input }, sumOf(input));
  },
  (random) => innocent({ name: "timers", input: randomSteps(random, 3) }, 3),
  (random) => innocent({ name: "signal", input: randomStep(random, 1), needs: "go" }, GO + 1),
  (random) => innocent({ name: "mailbox", input: randomStep(random, 9), needs: "letters" }, [...LETTERS, 9]),
  (random) => {
    const input = randomSteps(random, 2);
    return innocent(
      { name: "family", input },
      Array.from({ length: CHILDREN }, () => sumOf(input)),
    );
  },
  (random) => {
    const input = randomSteps(random, ROUNDS);
    return innocent({ name: "eternal", input }, sumOf(input));
  },
];

/** All programs in turn, so that a small soak has one of each. */
export const planInnocent: Planner = (random, number) => {
  const planner = PLANNERS[number % PLANNERS.length];
  if (planner === undefined) throw new Error("there are no innocent programs");
  return planner(random, number);
};
