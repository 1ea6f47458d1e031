/** Retries of activities: every attempt and every pause is a durable call of its own. */
import {
  type ActivityFailedError,
  type ActivityOptions,
  type AnyActivity,
  activity,
  NonRetryableError,
  orchestration,
  type RetryPolicy,
} from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { eventTypes } from "../support/history-lines.ts";
import { outputOf } from "../support/one-program.ts";
import { type Start, scenario } from "../support/scenario.ts";

/** Fails until its `succeedsAt`-th run. */
function flaky(succeedsAt: number) {
  let runs = 0;
  return activity("flaky", async () => {
    runs++;
    if (runs < succeedsAt) throw new Error(`failure ${runs}`);
    return `success ${runs}`;
  });
}

function retries(retry: RetryPolicy) {
  return orchestration("retries", async (ctx) => ctx.scheduleActivity("flaky", null, { retry }));
}

async function run(start: Start, succeedsAt: number, retry: RetryPolicy) {
  const orchestrations = [retries(retry)];
  const env = await start({ orchestrations, activities: [flaky(succeedsAt)] });
  const handle = await env.client.start("retries", { instanceId: "i" });
  const outcome = await env.finish(handle).catch((error: Error) => error.message);
  return { outcome, types: eventTypes(await env.events("i")) };
}

describe("a retried activity", () => {
  scenario("that succeeds at once costs nothing", async (start) => {
    const { outcome, types } = await run(start, 1, {});

    expect(outcome).toBe("success 1");
    expect(types).toHaveLength(4);
  });

  // retry.Y1
  scenario("has a row for each attempt and each pause", async (start) => {
    const { outcome, types } = await run(start, 3, { backoff: { kind: "fixed", delay: 1_000 } });

    expect(outcome).toBe("success 3");
    expect(types).toEqual([
      "OrchestrationStarted",
      "ActivityScheduled",
      "ActivityFailed",
      "TimerCreated",
      "TimerFired",
      "ActivityScheduled",
      "ActivityFailed",
      "TimerCreated",
      "TimerFired",
      "ActivityScheduled",
      "ActivityCompleted",
      "OrchestrationCompleted",
    ]);
  });

  scenario("has no timers where there is no pause", async (start) => {
    const { outcome, types } = await run(start, 3, { backoff: { kind: "none" } });

    expect(outcome).toBe("success 3");
    expect(types).not.toContain("TimerCreated");
  });

  scenario("gives up after the last attempt, with its error", async (start) => {
    const { outcome, types } = await run(start, 100, { maxAttempts: 4 });

    expect(outcome).toBe("failure 4");
    expect(types.filter((type) => type === "ActivityScheduled")).toHaveLength(4);
    expect(types.filter((type) => type === "TimerCreated")).toHaveLength(3);
  });

  scenario("is attempted three times by default", async (start) => {
    expect((await run(start, 100, {})).outcome).toBe("failure 3");
  });

  scenario("may be limited to one attempt", async (start) => {
    expect((await run(start, 2, { maxAttempts: 1 })).outcome).toBe("failure 1");
  });

  scenario("refuses to be attempted less than once", async (start) => {
    for (const maxAttempts of [0, -1, 1.5, Number.NaN]) {
      expect((await run(start, 1, { maxAttempts })).outcome).toContain("retry.maxAttempts");
    }
  });

  scenario("pauses as the backoff says", async (start) => {
    const env = await start({
      orchestrations: [
        retries({ maxAttempts: 5, backoff: { kind: "exponential", base: 100, multiplier: 3, max: 1_000 } }),
      ],
      activities: [flaky(100)],
    });
    await env.failureOf("retries");

    env.needsVirtualTime("an event is stamped some milliseconds after its turn has read the clock");
    const pauses = (await env.events("i")).flatMap((event) =>
      event.type === "TimerCreated" ? [Number(event.fire_at_ms) - Number(event.timestamp_ms)] : [],
    );
    expect(pauses).toEqual([100, 300, 900, 1_000]);
  });

  scenario("warns of each failure once", async (start) => {
    const env = await start({ orchestrations: [retries({ maxAttempts: 3 })], activities: [flaky(3)] });
    await env.run("retries");

    expect(env.log.messages("warn").filter((line) => line === "activity failed, trying again")).toHaveLength(
      2,
    );
  });

  scenario("uses one session for all attempts", async (start) => {
    const sticky = orchestration("sticky", async (ctx) =>
      ctx.scheduleActivity("flaky", null, { session: "s", retry: { backoff: { kind: "none" } } }),
    );
    const env = await start({ orchestrations: [sticky], activities: [flaky(3)] });

    expect(await env.run(sticky)).toBe("success 3");
    const sessions = (await env.events("i")).flatMap((event) =>
      event.type === "ActivityScheduled" ? [event.session_id] : [],
    );
    expect(sessions).toEqual(["s", "s", "s"]);
  });

  scenario("of one instance does not disturb that of another", async (start) => {
    const runs = new Map<string, number>();
    const perInstance = activity("flaky", async (ctx) => {
      const run = (runs.get(ctx.instanceId) ?? 0) + 1;
      runs.set(ctx.instanceId, run);
      if (run < 3) throw new Error("again");
      return ctx.instanceId;
    });
    const env = await start({ orchestrations: [retries({})], activities: [perInstance] });
    const ids = ["a", "b", "c"];
    const handles = await Promise.all(ids.map((instanceId) => env.client.start("retries", { instanceId })));

    expect(await Promise.all(handles.map((handle) => env.finish(handle)))).toEqual(ids);
  });
});

/** Ends when it is cancelled, never by itself. */
const hanging = activity("flaky", async (ctx) => {
  await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
});

function calls(options: ActivityOptions) {
  return orchestration("retries", async (ctx) => ctx.scheduleActivity("flaky", null, options));
}

async function outcomeOf(start: Start, handler: AnyActivity, options: ActivityOptions) {
  const env = await start({ orchestrations: [calls(options)], activities: [handler] });
  const error = await env.failureOf("retries");
  return { env, error, message: error.message, lines: await env.history("i") };
}

describe("a timeout", () => {
  scenario("is a failure of its attempt, which is tried again", async (start) => {
    const { message, lines } = await outcomeOf(start, hanging, {
      timeout: 2_000,
      retry: { maxAttempts: 2, backoff: { kind: "fixed", delay: 500 } },
    });

    expect(message).toBe('timeout: activity "flaky" did not end within 2000 ms');
    expect(lines).toEqual([
      "1 OrchestrationStarted: retries@1.0.0 null",
      "2 ActivityScheduled: flaky null",
      `3 ActivityFailed of 2: ${message}`,
      "4 TimerCreated",
      "5 TimerFired of 4",
      "6 ActivityScheduled: flaky null",
      `7 ActivityFailed of 6: ${message}`,
      `8 OrchestrationFailed: ${message}`,
    ]);
  });

  scenario("may stand in the policy, too", async (start) => {
    const { message } = await outcomeOf(start, hanging, { retry: { timeout: 1_000, maxAttempts: 1 } });

    expect(message).toBe('timeout: activity "flaky" did not end within 1000 ms');
  });

  scenario("may be given without a policy: there is one attempt", async (start) => {
    const { lines } = await outcomeOf(start, hanging, { timeout: 1_000 });

    expect(lines.filter((line) => line.includes("ActivityScheduled"))).toHaveLength(1);
  });

  scenario("and other failures use up the same attempts", async (start) => {
    let runs = 0;
    const failsThenHangs = activity("flaky", async () => {
      if (runs++ % 2 === 0) throw new Error("first");
      return new Promise<string>(() => {});
    });
    const { message, lines } = await outcomeOf(start, failsThenHangs, {
      timeout: 2_000,
      retry: { maxAttempts: 3, backoff: { kind: "none" } },
    });

    expect(message).toBe("first");
    expect(lines.filter((line) => line.includes("ActivityScheduled"))).toHaveLength(3);
  });

  scenario("ends the retries at once under the rule of Rust", async (start) => {
    const { message, lines, env } = await outcomeOf(start, hanging, {
      retry: { maxAttempts: 5, timeout: 2_000, timeoutEndsRetries: true },
    });

    expect(message).toBe("timeout: activity timed out");
    expect(lines).toEqual([
      "1 OrchestrationStarted: retries@1.0.0 null",
      "2 ActivityScheduled: flaky null",
      "3 TimerCreated",
      "4 TimerFired of 3",
      "5 ActivityCancelRequested of 2: dropped_future",
      "6 OrchestrationFailed: timeout: activity timed out",
    ]);
    expect((await env.events("i"))[1]).not.toHaveProperty("attempt");
  });

  scenario("comes after failures that were retried", async (start) => {
    let runs = 0;
    const failsThenHangs = activity("flaky", async () => {
      if (runs++ % 2 === 0) throw new Error("first");
      return new Promise<string>(() => {});
    });
    const { message, lines } = await outcomeOf(start, failsThenHangs, {
      retry: { maxAttempts: 5, timeout: 2_000, backoff: { kind: "none" }, timeoutEndsRetries: true },
    });

    expect(message).toBe("timeout: activity timed out");
    expect(lines.filter((line) => line.includes("ActivityScheduled"))).toHaveLength(2);
  });
});

describe("a total timeout", () => {
  // retry.Y4
  scenario("ends the attempt that is under way", async (start) => {
    const { message, lines } = await outcomeOf(start, hanging, {
      timeout: 2_000,
      totalTimeout: 3_000,
      retry: { backoff: { kind: "none" } },
    });

    expect(message).toBe('timeout: activity "flaky" did not end within 3000 ms in all (attempt 2)');
    expect(lines.filter((line) => line.includes("ActivityScheduled"))).toHaveLength(2);
  });

  scenario("leaves out a pause after which there would be no time", async (start) => {
    const { error, message, lines } = await outcomeOf(start, flaky(100), {
      totalTimeout: { minutes: 1 },
      retry: { maxAttempts: 9, backoff: { kind: "fixed", delay: { seconds: 40 } } },
    });

    expect(message).toBe(
      'timeout: activity "flaky" did not end within 60000 ms in all (attempt 2): failure 2',
    );
    expect((error.cause as Error).name).toBe("TimeoutError");
    expect(lines.filter((line) => line.includes("ActivityScheduled"))).toHaveLength(2);
  });

  scenario("limits a single attempt, too", async (start) => {
    const { message } = await outcomeOf(start, hanging, { totalTimeout: 1_000 });

    expect(message).toBe('timeout: activity "flaky" did not end within 1000 ms in all (attempt 1)');
  });
});

class CardDeclined extends Error {}

describe("an error that is not tried again", () => {
  const attemptsAfter = async (start: Start, thrown: () => unknown, retry: RetryPolicy) => {
    const failing = activity("flaky", async () => {
      throw thrown();
    });
    const { error, lines } = await outcomeOf(start, failing, {
      retry: { backoff: { kind: "none" }, ...retry },
    });
    return { error, attempts: lines.filter((line) => line.includes("ActivityScheduled")).length };
  };

  scenario("is one that the activity marks", async (start) => {
    const cause = new Error("the card is stolen");
    const marked = [
      () => new NonRetryableError("declined", { cause }),
      () => Object.assign(new Error("declined"), { retryable: false }),
    ];
    for (const thrown of marked) {
      const { error, attempts } = await attemptsAfter(start, thrown, {});
      expect([error.message, attempts]).toEqual(["declined", 1]);
    }
    const others = [() => Object.assign(new Error("busy"), { retryable: true }), () => new Error("busy")];
    for (const thrown of others) expect((await attemptsAfter(start, thrown, {})).attempts).toBe(3);
  });

  scenario("is one that is too large to be stored", async (start) => {
    const large = activity("flaky", async () => "x".repeat(2_000));
    const env = await start({
      orchestrations: [calls({ retry: {} })],
      activities: [large],
      options: { maxPayloadBytes: 1_000 },
    });
    await env.failureOf("retries");

    expect(eventTypes(await env.events("i")).filter((type) => type === "ActivityScheduled")).toHaveLength(1);
  });

  scenario("is one that the call names, by the name of the error or of its class", async (start) => {
    const named = () => Object.assign(new Error("no"), { name: "ValidationError" });
    const nonRetryable = ["ValidationError", CardDeclined];
    expect((await attemptsAfter(start, named, { nonRetryable })).attempts).toBe(1);
    expect((await attemptsAfter(start, () => new CardDeclined("no"), { nonRetryable })).attempts).toBe(1);
    expect((await attemptsAfter(start, () => new TypeError("no"), { nonRetryable })).attempts).toBe(3);
    expect((await attemptsAfter(start, () => "no", { nonRetryable })).attempts).toBe(3);
  });

  scenario("may be a timeout", async (start) => {
    const { lines } = await outcomeOf(start, hanging, {
      timeout: 1_000,
      retry: { nonRetryable: ["TimeoutError"] },
    });

    expect(lines.filter((line) => line.includes("ActivityScheduled"))).toHaveLength(1);
  });

  scenario("is one that the call's predicate refuses", async (start) => {
    const seen: unknown[] = [];
    const when: RetryPolicy["when"] = (error, attempt) => {
      seen.push([error.message, (error.cause as Error | undefined)?.name, attempt]);
      return attempt < 2;
    };
    const { attempts } = await attemptsAfter(start, () => new TypeError("no"), { when, maxAttempts: 9 });

    expect(attempts).toBe(2);
    expect(seen).toContainEqual(["no", "TypeError", 1]);
    expect(seen).toContainEqual(["no", "TypeError", 2]);
  });

  scenario("is every error where the predicate answers with neither true nor false", async (start) => {
    const when = (async () => true) as unknown as NonNullable<RetryPolicy["when"]>;
    const { error, attempts } = await attemptsAfter(start, () => new Error("no"), { when });

    expect(attempts).toBe(1);
    expect(error.message).toContain("retry.when must return true or false");
  });

  scenario("is tried again under the rule of Rust, unless the call names it", async (start) => {
    const thrown = () => new NonRetryableError("declined");
    const rust = { timeoutEndsRetries: true };
    expect((await attemptsAfter(start, thrown, rust)).attempts).toBe(3);
    const nonRetryable = ["NonRetryableError"];
    expect((await attemptsAfter(start, thrown, { ...rust, nonRetryable })).attempts).toBe(1);
  });

  scenario("is known to the orchestration", async (start) => {
    const failing = activity("flaky", async (_ctx, kind: string) => {
      throw kind === "final" ? new NonRetryableError(kind) : new Error(kind);
    });
    const asks = orchestration("asks", async (ctx) => {
      const errors = await Promise.all(
        ["final", "other"].map((kind) =>
          ctx.scheduleActivity(failing, kind).catch((error: ActivityFailedError) => error),
        ),
      );
      return errors.map((error) => [(error as Error).message, (error as ActivityFailedError).retryable]);
    });

    expect(await outputOf(start, asks, { activities: [failing] })).toEqual([
      ["final", false],
      ["other", true],
    ]);
  });
});

describe("each retry", () => {
  scenario("is shown to the call's hook, in replays too", async (start) => {
    const shown = orchestration("shown", async (ctx) =>
      ctx.scheduleActivity("flaky", null, {
        retry: {
          backoff: { kind: "fixed", delay: 100 },
          onRetry: ({ attempt, attempts, delayMs, error }) =>
            ctx.setCustomStatus(`${attempt}/${attempts} failed, again in ${delayMs}: ${error.message}`),
        },
      }),
    );
    const env = await start({ orchestrations: [shown], activities: [flaky(3)] });

    expect(await env.run(shown)).toBe("success 3");
    const statuses = (await env.events("i")).flatMap((event) =>
      event.type === "CustomStatusUpdated" ? [event.status] : [],
    );
    expect(statuses).toEqual([
      '"1/3 failed, again in 100: failure 1"',
      '"2/3 failed, again in 100: failure 2"',
    ]);
  });
});

describe("the key of a call", () => {
  scenario("is the same for all attempts of it, and differs from call to call", async (start) => {
    const keys: (readonly [call: string, attempt: string])[] = [];
    const keyed = activity("keyed", async (ctx) => {
      keys.push([ctx.callKey, ctx.idempotencyKey]);
      if (keys.length % 3 !== 0) throw new Error("again");
    });
    const twice = orchestration("twice", async (ctx) => {
      await ctx.scheduleActivity(keyed, undefined, { retry: {} });
      await ctx.scheduleActivity(keyed, undefined, { retry: { timeout: 60_000, timeoutEndsRetries: true } });
      await ctx.scheduleActivity("single");
    });
    const single = activity("single", async (ctx) => {
      keys.push([ctx.callKey, ctx.idempotencyKey]);
    });
    await outputOf(start, twice, { activities: [keyed, single] });

    const callKeys = keys.map(([call]) => call);
    expect(new Set(callKeys.slice(0, 3)).size).toBe(1);
    expect(new Set(callKeys.slice(3, 6)).size).toBe(1);
    expect(new Set(callKeys).size).toBe(3);
    expect(new Set(keys.map(([, attempt]) => attempt)).size).toBe(7);
    expect(keys[0]?.[0]).toBe(keys[0]?.[1]);
    expect(keys[6]?.[0]).toBe(keys[6]?.[1]);
  });
});
