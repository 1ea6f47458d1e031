/** Sagas: steps that are undone if the orchestration fails or is cancelled (docs/decisions/sagas.md). */
import { activity, CompensationError, orchestration } from "@duroxide-ts/core";
import { inState, instanceState } from "@duroxide-ts/core/operate";
import { describe, expect } from "vitest";
import { begun, outputOf, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

/** An undo that notes what it undoes. */
const noted =
  (log: string[], word = "undo") =>
  (value: unknown) =>
    void log.push(`${word} ${value}`);

describe("a saga", () => {
  scenario("undoes what was done, the last call first, and then fails with the error", async (start) => {
    const log: string[] = [];
    const charge = activity("charge", async (_ctx, cents: number) => ({ receipt: `r${cents}` }));
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      await saga.run("reserve", () => "seat 7", noted(log, "release"));
      await saga.schedule(charge, 100, { undo: ({ receipt }) => void log.push(`refund ${receipt}`) });
      await saga.run(
        "ship",
        () => {
          throw new Error("no truck");
        },
        () => void log.push("unship"),
      );
    });
    const { env, handle } = await started(start, order, { activities: [charge] });

    expect((await env.failure(handle)).message).toContain("no truck");
    expect(log).toEqual(["refund r100", "release seat 7"]);
    const names = (await env.client.admin.history("i")).flatMap((event) =>
      event.type === "ActivityScheduled" ? [event.name] : [],
    );
    expect(names).toEqual(["reserve", "charge", "ship", "undo charge", "undo reserve"]);
  });

  scenario("undoes nothing if the orchestration completes", async (start) => {
    const log: string[] = [];
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      return saga.run("reserve", () => "seat 7", noted(log, "release"));
    });

    expect(await outputOf(start, order)).toBe("seat 7");
    expect(log).toEqual([]);
  });

  scenario("undoes on cancellation and when the deadline has passed", async (start) => {
    const log: string[] = [];
    const order = orchestration("order", async (ctx, id: string) => {
      const saga = ctx.saga();
      await saga.run("reserve", () => id, noted(log, "release"));
      await ctx.waitForEvent("approved");
    });
    const { env, handle: cancelled } = await started(start, order, { instanceId: "a", input: "a" });
    const late = await env.begin(order, { instanceId: "b", input: "b", timeout: { minutes: 1 } });
    await cancelled.cancel("changed my mind");
    await env.settle();
    await env.advance(61_000);

    expect((await env.failure(cancelled)).message).toBe("canceled: changed my mind");
    expect((await env.failure(late)).message).toContain("timeout");
    expect(log).toEqual(["release a", "release b"]);
  });

  scenario("retries an undo as its options say", async (start) => {
    const tries: number[] = [];
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      await saga.run(
        "reserve",
        () => "seat 7",
        () => {
          tries.push(ctx.now());
          if (tries.length < 61) throw new Error("the service is down");
        },
        { undoRetry: { maxAttempts: Infinity, backoff: { kind: "fixed", delay: { minutes: 1 } } } },
      );
      throw new Error("no truck");
    });
    const { env, handle } = await started(start, order);
    for (let minute = 0; minute < 60; minute++) await env.advance(60_000);

    expect((await env.failure(handle)).message).toBe("no truck");
    expect(tries).toHaveLength(61);
  });

  scenario("tells a client the errors of undos that failed, and the first reason", async (start) => {
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      await saga.run(
        "reserve",
        () => "seat 7",
        () => {
          throw Object.assign(new Error("the service is down"), { service: "stock" });
        },
        { undoRetry: { maxAttempts: 2, backoff: { kind: "none" } } },
      );
      throw new Error("no truck");
    });
    const env = await start({ orchestrations: [order] });
    const { cause } = await env.failureOf(order);

    expect(cause).toMatchObject({
      name: "CompensationError",
      failures: [{ message: "the service is down", cause: { service: "stock" } }],
      cause: { message: "no truck" },
    });
  });

  scenario("refuses an undo with one attempt", async (start) => {
    const order = orchestration("order", async (ctx) =>
      ctx.saga().run(
        "reserve",
        () => "seat 7",
        () => undefined,
        { undoRetry: { maxAttempts: 1 } },
      ),
    );
    const { env, handle } = await started(start, order);

    expect((await env.failure(handle)).message).toContain("undoRetry must have two attempts or more");
  });

  scenario("undoes a step that timed out only where its undo says that it matters", async (start) => {
    const log: string[] = [];
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      const never = (): Promise<never> => new Promise(() => {});
      await saga
        .run("plain", never, () => void log.push("undo plain"), { timeout: { seconds: 1 } })
        .catch(() => {});
      await saga
        .run("uncertain", never, (value) => void log.push(`undo uncertain ${value}`), {
          timeout: { seconds: 1 },
          onUncertain: true,
        })
        .catch(() => {});
      throw new Error("give up");
    });
    const { env, handle } = await started(start, order);
    await env.advance(60_000);

    expect((await env.failure(handle)).message).toContain("give up");
    expect(log).toEqual(["undo uncertain undefined"]);
  });

  scenario(
    "drops a step that still runs, and undoes it where its undo says that it matters",
    async (start) => {
      const log: string[] = [];
      const order = orchestration("order", async (ctx) => {
        const saga = ctx.saga();
        const slow = saga.run(
          "slow",
          (step) => new Promise<void>((resolve) => step.signal.addEventListener("abort", () => resolve())),
          () => void log.push("undo slow"),
          { onUncertain: true },
        );
        await ctx.race([slow, ctx.scheduleTimer({ seconds: 1 })], { keep: true });
        throw new Error("too slow");
      });
      const { env, handle } = await started(start, order);
      await env.advance(10_000);

      expect((await env.failure(handle)).message).toContain("too slow");
      expect(log).toEqual(["undo slow"]);
    },
  );

  scenario("runs every undo even if one fails for good, and then says which failed", async (start) => {
    const log: string[] = [];
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      await saga.run("first", () => "first", noted(log));
      await saga.run(
        "second",
        () => 2,
        () => {
          throw new Error("bank is closed");
        },
      );
      throw new Error("the reason");
    });
    const { env, handle } = await started(start, order);
    await env.advance(10 * 60_000);

    const failure = await env.failure(handle);
    expect(failure.message).toMatch(/undo failed: .*bank is closed.*after .*the reason/);
    expect(log).toEqual(["undo first"]);
  });

  scenario("stops other code of the handler before it undoes", async (start) => {
    const log: string[] = [];
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      const keepsBooking = async (): Promise<void> => {
        for (let n = 1; n < 10; n++) {
          await saga.run(`book ${n}`, () => n, noted(log));
          await ctx.scheduleTimer({ seconds: 1 });
        }
      };
      const fails = async (): Promise<never> => {
        await ctx.scheduleTimer({ ms: 1_500 });
        throw new Error("failed beside it");
      };
      await Promise.all([keepsBooking(), fails()]);
    });
    const { env, handle } = await started(start, order);
    await env.advance(60_000);

    expect((await env.failure(handle)).message).toContain("failed beside it");
    expect(log).toEqual(["undo 2", "undo 1"]);
  });

  scenario("that is cancelled while it undoes goes on with the undos", async (start) => {
    const log: string[] = [];
    let refused = 0;
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      await saga.run("first", () => 1, noted(log));
      await saga.run(
        "second",
        () => 2,
        (value) => {
          if (refused++ < 3) throw new Error("busy");
          log.push(`undo ${value}`);
        },
      );
      throw new Error("failed");
    });
    const { env, handle } = await begun(start, order);
    await handle.cancel("never mind");
    await env.advance(10 * 60_000);

    expect((await env.failure(handle)).message).toBe("canceled: never mind");
    expect(log).toEqual(["undo 2", "undo 1"]);
  });

  scenario("can be undone by hand, and used again", async (start) => {
    const log: string[] = [];
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      await saga.run("a", () => "a", noted(log));
      await saga.compensate();
      await saga.compensate();
      await saga.run("b", () => "b", noted(log));
      const failed = await saga
        .run(
          "c",
          () => "c",
          () => {
            throw new Error("never");
          },
        )
        .then(() => saga.compensate())
        .catch((error: unknown) => CompensationError.is(error, "compensation-failed"));
      return failed;
    });
    const { env, handle } = await started(start, order);
    await env.advance(10 * 60_000);

    expect(await env.finish(handle)).toBe(true);
    expect(log).toEqual(["undo a", "undo b"]);
  });

  scenario("goes on with the undos after the process was killed", async (start) => {
    const log: string[] = [];
    const began = Promise.withResolvers<void>();
    let runs = 0;
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      await saga.run("first", () => 1, noted(log, "undo first"));
      await saga.run(
        "second",
        () => 2,
        (value) => {
          began.resolve();
          if (++runs === 1) return new Promise(() => {});
          return log.push(`undo second ${value}`);
        },
      );
      throw new Error("failed");
    });
    const { env } = await started(start, order, { file: true });
    await began.promise;
    await env.kill();
    await env.start();
    await env.advance(120_000);

    expect((await env.failure(env.client.handle(order, "i"))).message).toContain("failed");
    expect(log).toEqual(["undo second 2", "undo first 1"]);
  });

  scenario("runs only the undos that have failed again when it is retried", async (start) => {
    let closed = true;
    const log: string[] = [];
    const undo = (name: string) => (): void => {
      if (closed && name !== "b") throw new Error(`${name} is closed`);
      log.push(`undo ${name}`);
    };
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      for (const name of ["a", "b", "c"]) await saga.run(name, () => name, undo(name));
      throw new Error("the reason");
    });
    const { env, handle } = await started(start, order);
    await env.advance(10 * 60_000);
    expect((await env.failure(handle)).message).toMatch(
      /2 undos failed: .*c is closed.*a is closed.*the reason/,
    );
    expect(log).toEqual(["undo b"]);

    closed = false;
    await env.client.admin.retry("i");
    await env.advance(60_000);
    expect((await env.failure(env.client.handle(order, "i"))).message).toBe("the reason");
    expect(log.slice().sort()).toEqual(["undo a", "undo b", "undo c"]);
  });

  scenario("that is cancelled, and whose undo fails for good, says so until it is retried", async (start) => {
    let closed = true;
    const log: string[] = [];
    const order = orchestration("order", async (ctx) => {
      const saga = ctx.saga();
      await saga.run("reserve", () => "seat", noted(log, "release"));
      await saga.run(
        "charge",
        () => "r1",
        (receipt) => {
          if (closed) throw new Error("bank is closed");
          log.push(`refund ${receipt}`);
        },
      );
      await ctx.waitForEvent("approved");
    });
    const { env, handle } = await begun(start, order);
    await handle.cancel("changed my mind");
    await env.advance(10 * 60_000);

    const failure = await env.failure(handle);
    expect(failure.message, "the result").toBe("canceled: changed my mind");
    expect(failure.cause, "the cause").toMatchObject({
      name: "CompensationError",
      message: expect.stringContaining("bank is closed"),
    });
    expect(await handle.status()).toMatchObject({
      status: "Cancelled",
      reason: "changed my mind",
      cleanUpFailure: expect.stringContaining("bank is closed"),
    });
    const { admin } = env.client;
    const [found] = (await admin.query({ filter: inState({}, "clean-up-failed") })).instances;
    expect(found && instanceState(found), "the state").toBe("clean-up-failed");
    expect(found?.failure?.message).toMatch(/^changed my mind; clean-up failed: .*bank is closed/);
    expect((await admin.query({ filter: inState({}, "cancelled") })).instances, "well cancelled").toEqual([]);

    closed = false;
    await admin.retry("i");
    await env.advance(60_000);
    expect(log, "each undo once").toEqual(["release seat", "refund r1"]);
    expect((await admin.query({ filter: inState({}, "cancelled") })).instances).toHaveLength(1);
  });
});
