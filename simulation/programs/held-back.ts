/**
 * Programs, and work of them, that begin later: at a time, when no further start has come, or when their limits let them.
 *
 * - held-back.HB1: An activity that is dropped has no permit any more, although its handler runs until its process hears
 *   of it. So work with a limit is in no race, and in no program that is cancelled.
 */
import type { LimitRule, Priority } from "@duroxide-ts/core";
import type { Chance } from "../world/chance.ts";
import type { Program, Start, Step } from "./step.ts";

export interface Holds {
  readonly chance: Chance;
  /** Some starts, and some detached ones, have a time. */
  readonly delays: boolean;
  /** Some work, and some starts, have limits and priorities. */
  readonly limits: boolean;
  /** Some starts are several calls. */
  readonly debounces: boolean;
}

/** The rules of all keys, where the store has limits. */
export const RULES: Readonly<Record<string, LimitRule>> = {
  one: { concurrency: 1 },
  two: { concurrency: 2 },
  "two/*": { concurrency: 1 },
  rate: { rate: { max: 3, per: { seconds: 1 } } },
  burst: { concurrency: 4, rate: { max: 2, per: { seconds: 1 }, burst: 3 } },
  starts: { concurrency: 3 },
};

const OF_WORK = ["one", "two/a", "two/b", "two/c", "rate", "rate", "burst"] as const;
const PRIORITIES: readonly [Priority, ...Priority[]] = [3, 1, 2, 4, 5];
const OF_STARTS = "starts";

export function heldBack(program: Program, { chance, delays, limits, debounces }: Holds): Program {
  const mayEnd = program.cancelAfterMs !== undefined || program.start.timeoutMs !== undefined;
  const later = (step: Step): Step => (delays ? detachedLater(step, chance) : step);
  const limited = (step: Step): Step => (limits && !mayEnd ? withLimit(step, chance) : step);
  return {
    ...program,
    steps: program.steps.map((step) => limited(later(step))),
    start: startOf(program.start, chance, { delays, limits: limits && !mayEnd, debounces }),
  };
}

function startOf(start: Start, chance: Chance, { delays, limits, debounces }: Omit<Holds, "chance">): Start {
  const held: Start = {
    ...start,
    ...(limits && chance.happens(0.3) && { limit: OF_STARTS, priority: chance.pick(PRIORITIES) }),
  };
  if (delays && chance.happens(0.4)) return { ...held, afterMs: chance.pick([0, 300, 2_000, 6_000]) };
  if (!debounces || start.timeoutMs !== undefined || !chance.happens(0.4)) return held;
  const waitMs = chance.pick([500, 2_000]);
  const debounce = {
    calls: chance.between(1, 5),
    gapMs: chance.pick([0, 200, 1_200]),
    waitMs,
    ...(chance.happens(0.5) && { maxMs: waitMs * 2 }),
  };
  return { ...held, ifExists: "reuse", messages: 0, debounce };
}

function detachedLater(step: Step, chance: Chance): Step {
  if (step.do !== "detach" || !chance.happens(0.6)) return step;
  return { ...step, afterMs: chance.pick([100, 1_500, 5_000]) };
}

/** held-back.HB1. An activity of a session has no limit. */
function withLimit(step: Step, chance: Chance): Step {
  if (step.do === "all" || step.do === "child" || step.do === "detach")
    return { ...step, steps: step.steps.map((each) => withLimit(each, chance)) };
  if (step.do !== "work" || step.session !== undefined || !chance.happens(0.6)) return step;
  const priority = chance.pick(PRIORITIES);
  return { ...step, priority, ...(chance.happens(0.8) && { limit: chance.pick(OF_WORK) }) };
}
