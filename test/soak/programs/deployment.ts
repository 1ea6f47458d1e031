/**
 * Programs that a careless deployment meets: `reworked` has another code there, `rare` and its activity are missing.
 * Once the right code is back everywhere, all of them end with their result.
 */
import { type AnyActivity, type AnyOrchestration, orchestration, queue } from "@duroxide-ts/core";
import { mustBe, type Planner } from "./program.ts";
import { randomStep, randomSteps, type Step, type StepInput, sumOf } from "./step.ts";

/** Queue on which a `reworked` instance waits, while the deployment that changes it is under way. */
export const proceed = queue<number>("proceed");
export const PROCEED = 5;

export interface Handlers {
  readonly orchestrations: readonly AnyOrchestration[];
  readonly activities: readonly AnyActivity[];
}

export function rightHandlers(step: Step, rareStep: Step): Handlers {
  const reworked = orchestration("reworked", async (ctx, first: StepInput) => {
    const sum = await ctx.scheduleActivity(step, first);
    ctx.setCustomStatus("waiting");
    return sum + (await ctx.dequeue(proceed));
  });
  const rare = orchestration("rare", async (ctx, steps: readonly StepInput[]) => {
    let sum = 0;
    for (const each of steps) sum += await ctx.scheduleActivity(rareStep, each);
    return sum;
  });
  return { orchestrations: [reworked, rare], activities: [rareStep] };
}

/** It contradicts every history that the right code has begun. */
export function otherHandlers(): Handlers {
  const reworked = orchestration("reworked", async (ctx, _first: StepInput) => {
    await ctx.scheduleTimer({ ms: 1 });
    return ctx.dequeue(proceed);
  });
  return { orchestrations: [reworked], activities: [] };
}

export const planReworked: Planner = (random) => ({
  name: "reworked",
  group: "deployment",
  input: randomStep(random, 1),
  wrongEnd: mustBe(1 + PROCEED),
});

export const planRare: Planner = (random) => {
  const input = randomSteps(random, 3);
  return { name: "rare", group: "deployment", input, wrongEnd: mustBe(sumOf(input)) };
};
