/** The activity of all innocent programs: it takes its time, and each of its runs is written down beside the store. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ActivityDefinition, activity } from "@duroxide-ts/core";
import type { SideLog } from "../../storm/side-log.ts";
import type { SeededRandom } from "../../support/seeded-random.ts";

export interface StepInput {
  readonly value: number;
  readonly ms: number;
}

export type Step = ActivityDefinition<StepInput, number>;

export function stepOf(log: SideLog, name: string): Step {
  return activity(name, async (ctx, { value, ms }: StepInput) => {
    const run = { instance: ctx.instanceId, key: ctx.idempotencyKey };
    log.note({ kind: "begin", ...run });
    await sleep(ms);
    log.note({ kind: "end", ...run });
    return value;
  });
}

/** Mostly short; some are long enough for a death on the way. */
export function randomStep(random: SeededRandom, value: number): StepInput {
  const ms = random.below(5) === 0 ? 1_000 + random.below(2_000) : 20 + random.below(200);
  return { value, ms };
}

export function randomSteps(random: SeededRandom, count: number): readonly StepInput[] {
  return Array.from({ length: count }, (_, index) => randomStep(random, index + 1));
}

export function sumOf(steps: readonly StepInput[]): number {
  return steps.reduce((sum, { value }) => sum + value, 0);
}
