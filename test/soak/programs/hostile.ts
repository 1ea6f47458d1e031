/** Programs that harm the process or the store they run in, and the ways in which they may end. */
import {
  type AnyActivity,
  type AnyOrchestration,
  activity,
  DuroxideError,
  errorCategory,
  type OrchestrationContext,
  orchestration,
} from "@duroxide-ts/core";
import type { SideLog } from "../../storm/side-log.ts";
import type { SeededRandom } from "../../support/seeded-random.ts";
import { timesOf } from "../settings.ts";
import type { Handlers } from "./deployment.ts";
import { ODDITIES } from "./oddities.ts";
import { type End, mustBe, type Plan, pick } from "./program.ts";

/** The thread does nothing meanwhile, and costs the machine no time. */
function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function blocking(log: SideLog): Handlers {
  const block = (instance: string, ms: number): void => {
    log.note({ kind: "block", instance, ms });
    blockThread(ms);
  };
  const blockingStep = activity("blockingStep", async (ctx, ms: number) => {
    block(ctx.instanceId, ms);
    return ms;
  });
  const blockingActivities = orchestration("blockingActivities", async (ctx, each: readonly number[]) => {
    await ctx.all(each.map((ms) => ctx.scheduleActivity(blockingStep, ms)));
    return "done";
  });
  const blockingCode = orchestration("blockingCode", async (ctx, ms: number) => {
    await ctx.scheduleTimer({ ms: 10 });
    block(ctx.instanceId, ms);
    await ctx.scheduleTimer({ ms: 10 });
    return "done";
  });
  return { orchestrations: [blockingActivities, blockingCode], activities: [blockingStep] };
}

function throwing(): Handlers {
  const throwingStep = activity("throwingStep", async (_ctx, oddity: number) => {
    throw ODDITIES[oddity]?.();
  });
  const throwingActivity = orchestration("throwingActivity", async (ctx, oddity: number) => {
    try {
      await ctx.scheduleActivity(throwingStep, oddity);
      return "nothing was thrown";
    } catch (error) {
      return DuroxideError.is(error, "activity-failed") ? "caught" : "something else was thrown";
    }
  });
  const throwingCode = orchestration("throwingCode", async (ctx, oddity: number) => {
    await ctx.scheduleTimer({ ms: 10 });
    throw ODDITIES[oddity]?.();
  });
  return { orchestrations: [throwingActivity, throwingCode], activities: [throwingStep] };
}

function late(): Handlers {
  const failingStep = activity("failingStep", async () => {
    throw new Error("declined");
  });
  const fails = async (ctx: OrchestrationContext): Promise<void> => {
    await ctx.scheduleActivity(failingStep);
  };
  const failsAtOnce = async (): Promise<void> => {
    throw new Error("declined");
  };
  const lateAwait = orchestration("lateAwait", async (ctx, atOnce: boolean) => {
    const payment = atOnce ? failsAtOnce() : fails(ctx);
    await ctx.scheduleTimer({ ms: 1_000 });
    try {
      await payment;
      return "nothing was thrown";
    } catch (error) {
      return (error as Error).message;
    }
  });
  const neverAwaited = orchestration("neverAwaited", async (ctx, atOnce: boolean) => {
    void (atOnce ? failsAtOnce() : fails(ctx));
    await ctx.scheduleTimer({ ms: 1_000 });
    return "done";
  });
  return { orchestrations: [lateAwait, neverAwaited], activities: [failingStep] };
}

function killing(log: SideLog): Handlers {
  const note = (instance: string, by: "activity" | "turn"): void =>
    log.note({ kind: "killer", instance, by });
  const exitingStep = activity("exitingStep", async ({ instanceId }) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    note(instanceId, "activity");
    process.exit(3);
  });
  const inTimer = (name: string, end: () => never): AnyActivity =>
    activity(name, ({ instanceId }) => {
      setTimeout(() => {
        note(instanceId, "activity");
        end();
      }, 300);
      return new Promise<string>(() => {});
    });
  const abortingStep = inTimer("abortingStep", () => process.abort());
  const throwingTimer = inTimer("throwingTimer", () => {
    throw new Error("thrown in a timer");
  });
  const killingActivity = orchestration("killingActivity", async (ctx, name: string) =>
    ctx.scheduleActivity(name),
  );
  const killingCode = orchestration("killingCode", async (ctx) => {
    await ctx.scheduleTimer({ ms: 10 });
    note(ctx.instanceId, "turn");
    process.exit(4);
  });
  return {
    orchestrations: [killingActivity, killingCode],
    activities: [exitingStep, abortingStep, throwingTimer],
  };
}

function lasting(): Handlers {
  const lastingStep = activity("lastingStep", () => new Promise<string>(() => {}));
  const lastingActivity = orchestration("lastingActivity", (ctx) => ctx.scheduleActivity(lastingStep));
  return { orchestrations: [lastingActivity], activities: [lastingStep] };
}

const LARGE_RESULTS = 4;

function large(): Handlers {
  const largeStep = activity("largeStep", async (_ctx, characters: number) => "x".repeat(characters));
  const largeResults = orchestration("largeResults", async (ctx, characters: number) => {
    let sum = 0;
    for (let part = 0; part < LARGE_RESULTS; part++) {
      sum += (await ctx.scheduleActivity(largeStep, characters)).length;
    }
    return sum;
  });
  return { orchestrations: [largeResults], activities: [largeStep] };
}

export function hostileHandlers(log: SideLog): Handlers {
  const groups = [blocking(log), throwing(), late(), killing(log), lasting(), large()];
  const orchestrations: readonly AnyOrchestration[] = groups.flatMap((group) => group.orchestrations);
  const activities: readonly AnyActivity[] = groups.flatMap((group) => group.activities);
  return { orchestrations, activities };
}

function hostile(plan: Omit<Plan, "group">): Plan {
  return { ...plan, group: "hostile" };
}

/** Most blocks let no lock end; some do. */
function randomBlockMs(random: SeededRandom, lockMs: number): number {
  const { safeBlockMs, longestBlockMs } = timesOf(lockMs);
  const longestMs = random.below(5) === 0 ? longestBlockMs : safeBlockMs;
  return 200 + random.below(longestMs - 200);
}

function failed(end: End): string | undefined {
  return end.status !== "Completed"
    ? undefined
    : `ended with ${JSON.stringify(end.output)} instead of a failure`;
}

/** Checks that it failed by itself, and not because it was given up. */
function failedByItself(end: End): string | undefined {
  if (end.status === "Completed" || errorCategory(end.details) === "application") return failed(end);
  return `failed as ${errorCategory(end.details)}: ${end.message}`;
}

type HostilePlanner = (random: SeededRandom, number: number, lockMs: number) => Plan;

/** Each ends several processes, so there are few of them. */
const KILLERS: readonly HostilePlanner[] = [
  ...["exitingStep", "throwingTimer", "abortingStep"].map((input) => () => {
    return hostile({ name: "killingActivity", input, isKiller: true, wrongEnd: failed });
  }),
  () => hostile({ name: "killingCode", input: undefined, isKiller: true, wrongEnd: failed }),
];

const OTHERS: readonly HostilePlanner[] = [
  (_, number) =>
    hostile({ name: "throwingActivity", input: number % ODDITIES.length, wrongEnd: mustBe("caught") }),
  (random, _, lockMs) => {
    const input = Array.from({ length: 1 + random.below(3) }, () => randomBlockMs(random, lockMs));
    return hostile({ name: "blockingActivities", input, wrongEnd: mustBe("done") });
  },
  (random) => hostile({ name: "lateAwait", input: random.below(2) === 0, wrongEnd: mustBe("declined") }),
  (_, number) => hostile({ name: "throwingCode", input: number % ODDITIES.length, wrongEnd: failedByItself }),
  (random) => {
    const input = pick(random, [20_000, 150_000]);
    return hostile({ name: "largeResults", input, wrongEnd: mustBe(LARGE_RESULTS * input) });
  },
  (random, _, lockMs) =>
    hostile({ name: "blockingCode", input: randomBlockMs(random, lockMs), wrongEnd: mustBe("done") }),
  (random) => hostile({ name: "neverAwaited", input: random.below(2) === 0, wrongEnd: mustBe("done") }),
  (random) => {
    const plan = { name: "lastingActivity", input: undefined, wrongEnd: failed } as const;
    return hostile({ ...plan, ...(random.below(2) === 0 ? { cancelAfterMs: 3_000 } : { mayRun: true }) });
  },
];

export function planKiller(random: SeededRandom, number: number, lockMs: number): Plan {
  return nth(KILLERS, number)(random, number, lockMs);
}

/** All others in turn, so that a small soak has one of each. */
export function planHostile(random: SeededRandom, number: number, lockMs: number): Plan {
  return nth(OTHERS, number)(random, number, lockMs);
}

function nth(planners: readonly HostilePlanner[], number: number): HostilePlanner {
  const planner = planners[number % planners.length];
  if (planner === undefined) throw new Error("there are no hostile programs");
  return planner;
}
