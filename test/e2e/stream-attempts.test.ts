/** Steps that are delivered again: readers get the newest attempt, and a reset where they have got an earlier one. */
import { type AnyActivity, activity, orchestration, type StreamItem, stream } from "@duroxide-ts/core";
import type { StreamAppend } from "@duroxide-ts/core/stores";
import { describe, expect, it } from "vitest";
import { type Environment, startEnvironment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";
import { started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const tokens = stream<string>("tokens");

/** Short forms: `2:b` for a value at its offset, `reset say 2 from 0`, `skipped 3`. */
function shown({ offset, value, reset, skipped }: StreamItem<unknown>): string {
  if (reset !== undefined) return `reset ${reset.step} ${reset.attempt} from ${reset.fromOffset}`;
  return skipped === undefined ? `${offset}:${value}` : `skipped ${skipped}`;
}

async function all(reading: AsyncIterable<StreamItem<unknown>>): Promise<string[]> {
  const items: string[] = [];
  for await (const item of reading) items.push(shown(item));
  return items;
}

function following(reading: AsyncIterable<StreamItem<unknown>>) {
  const items: string[] = [];
  const ended = (async () => {
    for await (const item of reading) items.push(shown(item));
  })();
  return { items, ended };
}

/** Each attempt writes two values, and the last one succeeds. */
function failing(times: number) {
  let runs = 0;
  return activity("say", async (ctx) => {
    runs++;
    await ctx.stream(tokens).write(`a${runs}`);
    await ctx.stream(tokens).write(`b${runs}`);
    if (runs <= times) throw new Error("again");
  });
}

const retries = orchestration("retries", async (ctx) => {
  ctx.stream(tokens).write("<");
  await ctx.scheduleActivity("say", undefined, {
    retry: { maxAttempts: 5, backoff: { kind: "fixed", delay: 1_000 } },
  });
  ctx.stream(tokens).write(">");
});

async function finished(times: number): Promise<Environment> {
  const env = await startEnvironment({ orchestrations: [retries], activities: [failing(times)] });
  const handle = await env.client.start(retries, { instanceId: "i" });
  await env.finish(handle);
  return env;
}

describe("a retried attempt", () => {
  it("is the only one of a finished step that a fresh reader gets, without a reset", async () => {
    await using env = await finished(2);
    const handle = env.client.handle(retries, "i");
    expect(await all(handle.stream(tokens))).toEqual(["0:<", "5:a3", "6:b3", "7:>"]);
  });

  it("is numbered over the retries of its call", async () => {
    await using env = await finished(2);
    const attempts: unknown[] = [];
    for await (const { step, attempt } of env.client.handle(retries, "i").stream(tokens, { all: true }))
      if (attempt !== undefined) attempts.push([step, attempt]);
    const say = (attempt: number): unknown[] => [
      ["say", attempt],
      ["say", attempt],
    ];
    expect(attempts).toEqual([[undefined, 1], ...say(1), ...say(2), ...say(3), [undefined, 1]]);
  });

  it("comes with its reset and with all before it to a reader of everything", async () => {
    await using env = await finished(2);
    expect(await all(env.client.handle(retries, "i").stream(tokens, { all: true }))).toEqual([
      ...[
        "0:<",
        "1:a1",
        "2:b1",
        "reset say 2 from 1",
        "3:a2",
        "4:b2",
        "reset say 3 from 3",
        "5:a3",
        "6:b3",
        "7:>",
      ],
    ]);
  });

  it("begins with a reset for a reader that got the attempt before", async () => {
    await using env = await startEnvironment({ orchestrations: [retries], activities: [failing(2)] });
    const handle = await env.client.start(retries, { instanceId: "i" });
    const { items, ended } = following(handle.stream(tokens));
    await env.settle();
    expect(items).toEqual(["0:<", "1:a1", "2:b1"]);
    await env.advance(1_000);
    expect(items.slice(3)).toEqual(["reset say 2 from 1", "3:a2", "4:b2"]);
    await env.advance(1_000);
    expect(items.slice(6)).toEqual(["reset say 3 from 3", "5:a3", "6:b3", "7:>"]);
    await ended;
  });

  it("gives its reset first to a reader that resumes inside an attempt that was given up, or behind it", async () => {
    await using env = await finished(1);
    const handle = env.client.handle(retries, "i");
    const from = async (offset: number): Promise<string[]> => all(handle.stream(tokens, { from: offset }));
    expect(await from(1)).toEqual(["3:a2", "4:b2", "5:>"]);
    expect(await from(2)).toEqual(["reset say 2 from 1", "3:a2", "4:b2", "5:>"]);
    expect(await from(3)).toEqual(["reset say 2 from 1", "3:a2", "4:b2", "5:>"]);
    expect(await from(4)).toEqual(["4:b2", "5:>"]);
    expect(await from(5)).toEqual(["5:>"]);
  });

  it("voids what its reset names, and nothing of another step", async () => {
    let runs = 0;
    const say = activity("say", async (ctx) => {
      runs++;
      await ctx.stream(tokens).write(`a${runs}`);
      if (runs === 1) throw new Error("again");
    });
    const two = orchestration("two", async (ctx) => {
      await ctx.all([
        ctx.scheduleActivity(say, undefined, { retry: { maxAttempts: 2 } }),
        ctx.run("other", async (step) => {
          await step.stream(tokens).write("x");
        }),
      ]);
    });
    await using env = await startEnvironment({ orchestrations: [two], activities: [say] });
    const handle = await env.client.start(two, { instanceId: "i" });
    const kept: { step?: string; offset: number; value: unknown }[] = [];
    const reading = (async () => {
      for await (const item of handle.stream(tokens)) {
        if (item.reset === undefined) kept.push(item as never);
        else {
          const { step, fromOffset } = item.reset;
          const isVoid = (each: (typeof kept)[0]): boolean => each.step === step && each.offset >= fromOffset;
          kept.splice(0, kept.length, ...kept.filter((each) => !isVoid(each)));
        }
      }
    })();
    await env.finish(handle);
    await reading;
    expect(kept.map(({ value }) => value).sort()).toEqual(["a2", "x"]);
  });

  it("of one call voids nothing of another call of the same activity", async () => {
    const runs = new Map<string, number>();
    const say = activity("say", async (ctx, name: string) => {
      const run = (runs.get(name) ?? 0) + 1;
      runs.set(name, run);
      await ctx.stream(tokens).write(`${name}${run}`);
      if (run === 1 && name === "b") throw new Error("again");
    });
    const two = orchestration("two", async (ctx) => {
      for (const name of ["a", "b", "c"]) {
        await ctx.scheduleActivity(say, name, {
          retry: { maxAttempts: 2, backoff: { kind: "fixed", delay: 1 } },
        });
      }
    });
    await using env = await startEnvironment({ orchestrations: [two], activities: [say] });
    const handle = await env.client.start(two, { instanceId: "i" });
    await env.finish(handle);
    const read = await all(handle.stream(tokens, { all: true }));
    expect(read).toEqual(["0:a1", "1:b1", expect.stringMatching(/^reset say#\d+ 2 from 1$/), "2:b2", "3:c1"]);
    expect(await all(handle.stream(tokens))).toEqual(["0:a1", "2:b2", "3:c1"]);
  });

  it("is a new delivery of the same attempt too", async () => {
    let runs = 0;
    const say = activity("say", async (ctx) => {
      const run = ++runs;
      await ctx.stream(tokens).write(`a${run}`);
      if (run === 1) await new Promise(() => {});
    });
    const once = orchestration("once", async (ctx) => ctx.scheduleActivity(say));
    await using env = await startEnvironment({ orchestrations: [once], activities: [say] });
    const handle = await env.client.start(once, { instanceId: "i" });
    const { items, ended } = following(handle.stream(tokens));
    await env.settle();
    await env.kill();
    await env.start();
    await env.advance(60_000);
    await ended;
    expect(items).toEqual(["0:a1", "reset say 2 from 0", "1:a2"]);
  });

  it("refuses what a delivery writes that another one has replaced", async () => {
    let runs = 0;
    const late: Promise<unknown>[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const say = activity("say", async (ctx) => {
      const run = ++runs;
      const out = ctx.stream(tokens);
      await out.write(`a${run}`);
      if (run > 1) return;
      await promise;
      late.push(
        out
          .write("late")
          .then(() => out.flush())
          .catch((error: { code: string }) => error.code),
      );
      await Promise.all(late);
    });
    const once = orchestration("once", async (ctx) => ctx.scheduleActivity(say));
    await using env = await startEnvironment({ orchestrations: [once], activities: [say] });
    const handle = await env.begin(once);
    await env.kill();
    await env.start();
    await env.advance(60_000);
    resolve();
    await env.settle();
    expect(await all(handle.stream(tokens))).toEqual(["1:a2"]);
    expect(await Promise.all(late)).toEqual(["lock-lost"]);
  });
});

describe("a bounded stream", () => {
  scenario("keeps the newest values, and says how many are gone", async (start) => {
    const few = stream<number>("few", { maxItems: 10 });
    const counts = orchestration("counts", async (ctx) => {
      for (let n = 0; n < 100; n++) ctx.stream(few).write(n);
      await ctx.scheduleTimer(1);
      for (let n = 100; n < 105; n++) ctx.stream(few).write(n);
    });
    const { env, handle } = await started(start, counts);
    await env.finish(handle);
    expect((await all(handle.stream(few)))[0]).toBe("skipped 95");
    expect((await all(handle.stream(few))).slice(1)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${95 + index}:${95 + index}`),
    );
    expect((await all(handle.stream(few, { from: 90 })))[0]).toBe("skipped 5");
    expect((await all(handle.stream(few, { from: 95 })))[0]).toBe("95:95");
  });

  scenario("has a tenth more than its bounds at most", async (start) => {
    const few = stream<number>("few", { maxItems: 100 });
    const small = stream<string>("small", { maxBytes: 1_000 });
    const counts = orchestration("counts", async (ctx) => {
      for (let turn = 0; turn < 12; turn++) {
        for (let n = 0; n < 37; n++) {
          ctx.stream(few).write(n);
          ctx.stream(small).write("12345678");
        }
        await ctx.scheduleTimer(1);
      }
    });
    const { env, handle } = await started(start, counts);
    await env.finish(handle);
    const items = (await all(handle.stream(few))).length - 1;
    expect([items >= 100, items <= 110]).toEqual([true, true]);
    const bytes = ((await all(handle.stream(small))).length - 1) * 10;
    expect([bytes >= 1_000, bytes <= 1_100]).toEqual([true, true]);
  });

  it("gives a reset where the beginning of the newest attempt is gone", async () => {
    const few = stream<string>("few", { maxItems: 10 });
    let runs = 0;
    const say = activity("say", async (ctx) => {
      runs++;
      for (let n = 0; n < (runs === 1 ? 3 : 30); n++) await ctx.stream(few).write(`${runs}`);
      if (runs === 1) throw new Error("again");
    });
    const once = orchestration("once", async (ctx) => {
      await ctx.scheduleActivity(say, undefined, { retry: { maxAttempts: 2 } });
    });
    await using env = await startEnvironment({ orchestrations: [once], activities: [say] });
    const handle = await env.client.start(once, { instanceId: "i" });
    await env.finish(handle);
    expect((await all(handle.stream(few, { from: 2 }))).slice(0, 3)).toEqual([
      "skipped 21",
      "reset say 2 from 0",
      "23:2",
    ]);
    expect((await all(handle.stream(few))).slice(0, 2)).toEqual(["skipped 23", "23:2"]);
    expect((await all(handle.stream(few, { from: 5 }))).slice(0, 2)).toEqual(["skipped 18", "23:2"]);
  });
});

describe("a run whose activity another process has had meanwhile", () => {
  /** Stores a value of another delivery of the same call. */
  const another = (env: Environment, append: StreamAppend, lockToken: string): Promise<unknown> | undefined =>
    env.provider.appendStream?.({
      ...append,
      values: [JSON.stringify("x")],
      close: false,
      writer: { ...append.writer, delivery: "another", written: 0, lockToken },
    });

  const says = orchestration("says", (ctx) => ctx.scheduleActivity("say"));

  async function saying(say: AnyActivity): Promise<{ readonly env: Environment; readonly faults: Faults }> {
    const faults = new Faults();
    const env = await startEnvironment({ orchestrations: [says], activities: [say], wrap: faults.wrap });
    return { env, faults };
  }

  // running-activities.A4
  it("begins anew where the other one has written, so that the stream has all values", async () => {
    let runs = 0;
    const say = activity("say", async (ctx) => {
      const run = ++runs;
      await ctx.stream(tokens).write(`a${run}`);
      await ctx.stream(tokens).write(`b${run}`);
      await ctx.stream(tokens).flush();
      return run;
    });
    const { env, faults } = await saying(say);
    await using _env = env;
    faults.on("appendStream", async (call, [append]) => {
      const given = append as StreamAppend;
      if (call === 2) await another(env, given, given.writer.lockToken);
    });
    const handle = await env.client.start(says, { instanceId: "i" });
    expect(await env.finish(handle)).toBe(2);
    expect(await all(handle.stream(tokens))).toEqual(["2:a2", "3:b2"]);
  });

  // step-streams.SS2
  it("begins anew also where it has no more to write, and goes on under a new lock", async () => {
    let runs = 0;
    let first: StreamAppend | undefined;
    const say = activity("say", async (ctx) => {
      const run = ++runs;
      await ctx.stream(tokens).write(`a${run}`);
      if (run === 1) await new Promise<void>((resolve) => env.clock.schedule(40_000, resolve));
      return run;
    });
    const { env, faults } = await saying(say);
    await using _env = env;
    faults.on("appendStream", async (_, [append]) => {
      first ??= append as StreamAppend;
    });
    faults.on("renewWorkItemLock", async (_, [token, , options]) => {
      if (options === undefined) throw fault("renewWorkItemLock", "unavailable");
      if (first !== undefined) await another(env, first, String(token));
    });
    const handle = await env.client.start(says, { instanceId: "i" });
    expect(await env.finish(handle)).toBe(2);
    expect(await all(handle.stream(tokens))).toEqual(["2:a2"]);
  });

  // running-activities.A4
  it("begins anew where it has ended, and its lock ends before the store takes its outcome", async () => {
    let runs = 0;
    let first: StreamAppend | undefined;
    const say = activity("say", async (ctx) => {
      const run = ++runs;
      await ctx.stream(tokens).write(`a${run}`);
      return run;
    });
    const { env, faults } = await saying(say);
    await using _env = env;
    faults.on("appendStream", async (_, [append]) => {
      first ??= append as StreamAppend;
    });
    for (const method of ["ackFusedTurn", "ackWorkItem"] as const)
      faults.on(method, () => {
        if (runs === 1) throw fault(method, "unavailable");
      });
    faults.on("renewWorkItemLock", async (_, [token, , options]) => {
      if (options === undefined) throw fault("renewWorkItemLock", "unavailable");
      if (first === undefined) return;
      await another(env, first, String(token));
      faults.off("ackWorkItem");
    });
    const handle = await env.client.start(says, { instanceId: "i" });
    expect(await env.finish(handle)).toBe(2);
    expect(await all(handle.stream(tokens))).toEqual(["1:a2"]);
  });

  it("ends as cancelled where its result is not needed, also if it goes on to write", async () => {
    const writes: string[] = [];
    const say = activity("say", async (ctx) => {
      const out = ctx.stream(tokens);
      await out.write("a");
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      await out
        .write("b")
        .then(() => out.flush())
        .catch(({ code }: { code: string }) => writes.push(code));
    });
    await using env = await startEnvironment({ orchestrations: [says], activities: [say] });
    const handle = await env.begin(says, { instanceId: "i" });
    await handle.cancel();
    await env.failure(handle);
    await env.settle();
    expect(writes).toEqual(["lock-lost"]);
    expect(env.log.of("activity_cancelled")).toHaveLength(1);
  });
});
