/**
 * The recorded runs, each with the same program on our API and the class that it falls into:
 *   reproduced   the recorded messages, fed turn by turn, give the recorded events, messages and metadata;
 *   replayed     the recorded turns replay without nondeterminism, but the end is ours (`why`);
 *   failure      the run ends in the recorded category of failure, its text or shape being Rust's own (`why`);
 *   better       deliberately different (`why` names the defect of the original).
 */
import { type AnyOrchestration, orchestration } from "../../src/define/definitions.ts";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";

export interface RecordedProgram {
  readonly orchestrations: readonly AnyOrchestration[];
  readonly class: "reproduced" | "replayed" | "failure" | "better";
  /** Why the run is not simply reproduced. */
  readonly why?: string;
  /** Only the turns from this one on are run: earlier ones ran other code. */
  readonly fromTurn?: number;
}

type Body = (ctx: OrchestrationContext, input: never) => Promise<unknown>;

function reproduced(...definitions: readonly AnyOrchestration[]): RecordedProgram {
  return { class: "reproduced", orchestrations: definitions };
}

function program(name: string, body: Body): RecordedProgram {
  return reproduced(orchestration(name, body));
}

const greet = (ctx: OrchestrationContext, input: unknown) => ctx.scheduleActivity("Greet", input);
const other = orchestration("Other", greet);
const rustOption = (value: unknown): string => (value === undefined ? "None" : `Some(${JSON.stringify(value)})`);

export const programs: Readonly<Record<string, RecordedProgram>> = {
  hello: program("Hello", greet),
  instant: program("Instant", async (_ctx, input) => `echo:${input}`),
  instant_error: program("InstantError", async () => {
    throw "bad input";
  }),
  sequence: program("Seq", async (ctx, input) => {
    const echoed = await ctx.scheduleActivity("Echo", input);
    const upper = await ctx.scheduleActivity("Upper", echoed);
    return ctx.scheduleActivity("Greet", upper);
  }),
  unicode: program("Оркестр", (ctx, input) => ctx.scheduleActivity("Эхо 🌍", input)),
  fan_out_join5: program("Fan", async (ctx) => {
    const results = await ctx.all([0, 1, 2, 3, 4].map((n) => ctx.scheduleActivity("Echo", `item-${n}`)));
    return results.join("|");
  }),
  timer: program("T", async (ctx) => {
    await ctx.scheduleTimer(50);
    await ctx.scheduleTimer(0);
    return "done";
  }),

  activity_failure_handled: program("F", async (ctx) => {
    try {
      return await ctx.scheduleActivity("Fail", "why");
    } catch (error) {
      return ctx.scheduleActivity("Echo", `caught ${(error as Error).message}`);
    }
  }),
  activity_failure_propagated: program("F", (ctx) => ctx.scheduleActivity("Fail", "why")),
  activity_panic: program("F", (ctx) => ctx.scheduleActivity("Panic", "x")),
  retry_backoff_success: program("R", (ctx) =>
    ctx.scheduleActivity("Flaky", "x", {
      retry: { maxAttempts: 5, backoff: { kind: "exponential", base: 20, multiplier: 2, max: 1_000 } },
    }),
  ),
  retry_exhausted: program("R", (ctx) =>
    ctx.scheduleActivity("Fail", "x", { retry: { maxAttempts: 3, backoff: { kind: "none" } } }),
  ),
  retry_timeout: program("R", (ctx) =>
    ctx.scheduleActivity("Slow", 1500, {
      retry: { maxAttempts: 3, backoff: { kind: "fixed", delay: 10 }, timeout: 100 },
    }),
  ),

  race_activity_wins: program("Race", async (ctx) => {
    const winner = await ctx.race([ctx.scheduleActivity("Echo", "quick"), ctx.scheduleTimer(300)]);
    return winner.value;
  }),
  external_event: program("W", async (ctx) => `got ${JSON.stringify(await ctx.waitForEvent("Approve"))}`),
  external_event_early: program("W", async (ctx) => {
    await ctx.waitForEvent("Go");
    return ctx.waitForEvent("Approve");
  }),
  external_event_timeout: program("W", async (ctx) => {
    await ctx.race([ctx.waitForEvent("Approve"), ctx.scheduleTimer(80)]);
    return `timeout then ${await ctx.waitForEvent("Approve")}`;
  }),
  batch_event_with_start: program("B", async (ctx) => {
    const signal = await ctx.waitForEvent("A");
    return `${signal}${await ctx.dequeue("B")}`;
  }),
  queue_buffered_before_dequeue: program("Q", async (ctx) => {
    await ctx.waitForEvent("Go");
    const first = await ctx.dequeue("jobs");
    return `${first}${await ctx.dequeue("jobs")}`;
  }),
  queue_carry_forward: program("Q", async (ctx, n: number) => {
    const message = await ctx.dequeue("jobs");
    ctx.setCustomStatus(`seen ${message}`);
    return n < 2 ? ctx.continueAsNew("Q" as never, (n + 1) as never) : `last ${message}`;
  }),
};
void other;
void rustOption;
