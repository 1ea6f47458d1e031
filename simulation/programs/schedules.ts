/** Random schedules: their definitions in the older and the newest code, and what operators do to them. */
import { type CatchUp, type Overlap, type Schedule, type ScheduleTimes, schedule } from "@duroxide-ts/core";
import type { Chance } from "../world/chance.ts";
import { NAME, type Task, workStep } from "./step.ts";

/** A change by hand, and its delay after the one before. */
export type ScheduleVerb =
  | { readonly verb: "pause" | "resume" | "trigger"; readonly afterMs: number }
  /** The due times of so long ago until now. */
  | { readonly verb: "backfill"; readonly afterMs: number; readonly backMs: number };

export interface SchedulePlan {
  readonly name: string;
  readonly startsAtMs: number;
  /** Definitions that the older code and the newest code apply. */
  readonly definitions: readonly [Schedule, Schedule];
  readonly verbs: readonly ScheduleVerb[];
}

const INSTANCE = "schedule:";

/** The instance, or `<instance>#<execution>`, of a schedule. It does not end. */
export function isOfSchedule(key: string): boolean {
  return key.startsWith(INSTANCE);
}

export function instanceOfSchedule(name: string): string {
  return `${INSTANCE}${name}`;
}

const OVERLAPS: readonly [Overlap, ...Overlap[]] = ["skip", "queue", "cancel", "allow"];
const CATCH_UPS: readonly [CatchUp, ...CatchUp[]] = ["none", "last", "all", { within: { seconds: 10 } }];
const AT_MS = [2_000, 3_000, 4_500, 9_000, 15_000, 40_000] as const;

/** `fromMs`: the time of the world at its beginning. */
export function drawSchedules(chance: Chance, fromMs: number, overMs: number): readonly SchedulePlan[] {
  return Array.from({ length: chance.between(1, 2) }, (_, number): SchedulePlan => {
    const name = `z${number}`;
    const takesMs = chance.pick([20, 20, 1_500, 4_000]);
    const older = drawRules(chance, fromMs);
    const newest = chance.pick([
      older,
      older,
      { ...older, ...drawTimes(chance, fromMs) },
      drawRules(chance, fromMs),
    ]);
    const hasRevisions = chance.happens(0.3);
    const defined = (given: Rules, revision: number): Schedule => {
      const input: Task = { steps: [workStep(0, takesMs)], results: [] };
      const { times, overlap, catchUp, jitter } = given;
      return schedule(name, {
        ...times,
        overlap,
        catchUp,
        ...(jitter && { jitter: { ms: 700 } }),
        ...(hasRevisions && { revision }),
        orchestration: NAME,
        input,
      });
    };
    return {
      name,
      startsAtMs: 1_000 + chance.below(2_000),
      definitions: [defined(older, 1), defined(newest, 2)],
      verbs: drawVerbs(chance, overMs),
    };
  });
}

interface Rules {
  readonly times: ScheduleTimes;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly jitter: boolean;
}

function drawRules(chance: Chance, fromMs: number): Rules {
  return {
    ...drawTimes(chance, fromMs),
    overlap: chance.pick(OVERLAPS),
    catchUp: chance.pick(CATCH_UPS),
    jitter: chance.happens(0.2),
  };
}

function drawTimes(chance: Chance, fromMs: number): Pick<Rules, "times"> {
  const times = chance.pick<ScheduleTimes>([
    { every: { ms: 2_000 } },
    { every: { ms: 3_000 }, offset: { ms: 700 } },
    { every: { ms: 5_000 } },
    { cron: "*/3 * * * * *" },
    { at: AT_MS.map((ms) => fromMs + ms) },
  ]);
  return { times };
}

function drawVerbs(chance: Chance, overMs: number): readonly ScheduleVerb[] {
  const afterMs = (): number => chance.below(overMs / 3);
  return Array.from({ length: chance.below(4) }, (): readonly ScheduleVerb[] => {
    switch (chance.below(3)) {
      case 0:
        return [
          { verb: "pause", afterMs: afterMs() },
          { verb: "resume", afterMs: afterMs() },
        ];
      case 1:
        return [{ verb: "trigger", afterMs: afterMs() }];
      default:
        return [{ verb: "backfill", afterMs: afterMs(), backMs: chance.pick([5_000, 20_000]) }];
    }
  }).flat();
}
