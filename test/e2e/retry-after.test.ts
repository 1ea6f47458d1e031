/** The pause before a retry that the error of an attempt asks for (docs/decisions/activities.md). */
import {
  ActivityFailedError,
  activity,
  NonRetryableError,
  orchestration,
  RetryAfterError,
  type RetryPolicy,
} from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { eventTypes } from "../support/history-lines.ts";
import { outputOf, started } from "../support/one-program.ts";
import { type Start, scenario } from "../support/scenario.ts";

const slow: RetryPolicy = { maxAttempts: 3, backoff: { kind: "fixed", delay: { days: 1 } } };

/** Throws what the list has, then succeeds. */
function failing(errors: readonly ((nowMs: number) => unknown)[]) {
  let runs = 0;
  return (nowMs: number) => {
    const error = errors[runs++];
    if (error !== undefined) throw error(nowMs);
    return "done";
  };
}

async function pausesOf(
  start: Start,
  run: (nowMs: number) => string,
  options: { readonly retry?: RetryPolicy; readonly totalTimeout?: number },
) {
  const asked = orchestration("asked", async (ctx) => {
    const nowMs = ctx.now();
    return ctx.run("call", () => run(nowMs), options);
  });
  const env = await start({ orchestrations: [asked], activities: [] });
  const outcome = await env
    .finish(await env.client.start(asked, { instanceId: "i" }))
    .catch((error: Error) => error.message);
  const events = await env.events("i");
  env.needsVirtualTime("an event is stamped some milliseconds after its turn has read the clock");
  const pauses = events.flatMap((event) =>
    event.type === "TimerCreated" ? [Number(event.fire_at_ms) - Number(event.timestamp_ms)] : [],
  );
  return { outcome, pauses, types: eventTypes(events) };
}

describe("an error that asks for a pause", () => {
  scenario("replaces that of the policy, once", async (start) => {
    const run = failing([() => new RetryAfterError({ seconds: 30 }), () => new Error("busy")]);
    const { outcome, pauses } = await pausesOf(start, run, { retry: slow });

    expect(outcome).toBe("done");
    expect(pauses).toEqual([30_000, 86_400_000]);
  });

  scenario("may name a date, which may have passed", async (start) => {
    const run = failing([
      (nowMs) => new RetryAfterError(new Date(nowMs + 3_600_000)),
      (nowMs) => new RetryAfterError(new Date(nowMs)),
    ]);
    const { outcome, pauses } = await pausesOf(start, run, { retry: slow });

    expect(outcome).toBe("done");
    expect(pauses).toEqual([3_600_000]);
  });

  scenario("needs no pause at all", async (start) => {
    const { pauses, types } = await pausesOf(start, failing([() => new RetryAfterError(0)]), { retry: slow });

    expect(pauses).toEqual([]);
    expect(types.filter((type) => type === "ActivityScheduled")).toHaveLength(2);
  });

  scenario("is bounded by the number of attempts and by the total timeout", async (start) => {
    const again = () => new RetryAfterError({ seconds: 30 }, "still busy");
    const counted = await pausesOf(start, failing([again, again, again, again]), { retry: slow });
    expect([counted.outcome, counted.pauses]).toEqual(["still busy", [30_000, 30_000]]);
    const timed = await pausesOf(start, failing([again]), { retry: slow, totalTimeout: 20_000 });
    expect(timed.outcome).toContain("did not end within 20000 ms in all");
    expect(timed.types.filter((type) => type === "ActivityScheduled")).toHaveLength(1);
  });

  scenario("loses to a mark that it is final, and to the rule of Rust", async (start) => {
    const final = () => Object.assign(new RetryAfterError(5), { retryable: false });
    expect((await pausesOf(start, failing([final]), { retry: slow })).pauses).toEqual([]);
    const rust = { ...slow, timeoutEndsRetries: true };
    const asked = failing([() => new RetryAfterError(5)]);
    expect((await pausesOf(start, asked, { retry: rust })).pauses).toEqual([86_400_000]);
  });

  scenario("is an error like any other where there is no policy", async (start) => {
    const busy = activity("busy", async (): Promise<void> => {
      throw new RetryAfterError({ seconds: 30 }, "busy", {
        cause: new NonRetryableError("429"),
        data: { quota: "minute" },
      });
    });
    const once = orchestration("once", async (ctx) => {
      const error = await ctx.scheduleActivity(busy).catch((error: unknown) => error);
      if (!ActivityFailedError.is(error)) throw error;
      const { name, message, cause, data, retryAfter } = error.cause as RetryAfterError;
      return { name, message, cause: (cause as Error).message, data, retryAfter, retryable: error.retryable };
    });

    expect(await outputOf(start, once, { activities: [busy] })).toEqual({
      name: "RetryAfterError",
      message: "busy",
      cause: "429",
      data: { quota: "minute" },
      retryAfter: { ms: 30_000 },
      retryable: true,
    });
  });

  scenario("is read from any error, whose data may have fields of the same names", async (start) => {
    let runs = 0;
    class CompensationError extends Error {
      override name = "CompensationError";
      failures = ["a"];
      retryAfter = { ms: 200 };
    }
    const busy = activity("busy", async () => {
      if (runs++ < 2) throw new CompensationError("429");
      return "done";
    });
    const asks = orchestration("asks", async (ctx) => ctx.scheduleActivity(busy, undefined, { retry: slow }));
    const { env, handle } = await started(start, asks, { activities: [busy] });
    await env.advance(1_000);
    await env.advance(1_000);

    expect(await env.finish(handle)).toBe("done");
  });
});
