/** Streams: what an instance shows while it runs, in the order of its program. */
import { activity, orchestration, type StreamItem, stream } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { startEnvironment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";
import { started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const tokens = stream<string>("tokens");

/** Everything until the reading ends. */
async function all<T>(reading: AsyncIterable<StreamItem<T>>): Promise<StreamItem<T>[]> {
  const items: StreamItem<T>[] = [];
  for await (const item of reading) items.push(item);
  return items;
}

/** The list to which a reading in the background adds, and its end. */
function following<T>(reading: AsyncIterable<StreamItem<T>>) {
  const items: unknown[] = [];
  const ended = (async () => {
    for await (const item of reading) items.push(item.value ?? item);
    return "ended";
  })().catch((error: { code: string }) => error.code);
  return { items, ended };
}

const waits = orchestration("waits", async (ctx) => {
  ctx.stream(tokens).write("a");
  await ctx.waitForEvent("go");
  ctx.stream(tokens).write("b");
});

const other = orchestration("other", async () => {});

describe("the order of a stream", () => {
  scenario("is that of the program, over code, activities and steps", async (start) => {
    const say = activity("say", async (ctx, text: string) => {
      for (const char of text) await ctx.stream(tokens).write(char);
    });
    const talks = orchestration("talks", async (ctx) => {
      ctx.stream(tokens).write("<");
      await ctx.scheduleActivity(say, "ab");
      ctx.stream(tokens).write("|");
      await ctx.run("more", async (step) => {
        await step.stream(tokens).write("c");
      });
      ctx.stream(tokens).write(">");
    });
    const { env, handle } = await started(start, talks, { activities: [say] });
    await env.finish(handle);
    expect(await all(handle.stream(tokens))).toEqual([
      { offset: 0, value: "<", attempt: 1 },
      { offset: 1, value: "a", step: "say", attempt: 1 },
      { offset: 2, value: "b", step: "say", attempt: 1 },
      { offset: 3, value: "|", attempt: 1 },
      { offset: 4, value: "c", step: "more", attempt: 1 },
      { offset: 5, value: ">", attempt: 1 },
    ]);
  });

  scenario("has each value of the code once, in turns that run again too", async (start) => {
    const counts = orchestration("counts", async (ctx) => {
      for (let n = 0; n < 5; n++) {
        ctx.stream<number>("numbers").write(n);
        await ctx.scheduleTimer(1);
      }
    });
    const { env, handle } = await started(start, counts);
    await env.finish(handle);
    expect((await all(handle.stream("numbers"))).map(({ value }) => value)).toEqual([0, 1, 2, 3, 4]);
  });

  it("has what a turn writes once that the store refuses at first", async () => {
    const faults = new Faults();
    await using env = await startEnvironment({ orchestrations: [waits], wrap: faults.wrap });
    faults.on("ackOrchestrationItem", (call) => {
      if (call === 1) throw fault("ackOrchestrationItem", "lock-lost");
    });
    const handle = await env.begin(waits);
    await env.advance(60_000);
    await handle.raise("go");
    await env.finish(handle);
    expect((await all(handle.stream(tokens))).map(({ value }) => value)).toEqual(["a", "b"]);
  });

  it("is stored before the result of its step", async () => {
    const calls: string[] = [];
    const faults = new Faults();
    for (const method of ["appendStream", "ackWorkItem", "ackFusedTurn"] as const)
      faults.on(method, () => void calls.push(method));
    const say = activity("say", async (ctx) => {
      void ctx.stream(tokens).write("a");
      void ctx.stream(tokens).write("b");
      void ctx.stream("other").write("c");
    });
    const talks = orchestration("talks", async (ctx) => ctx.scheduleActivity(say));
    await using env = await startEnvironment({
      orchestrations: [talks],
      activities: [say],
      wrap: faults.wrap,
    });
    await env.run(talks);
    expect(calls.slice(0, 3)).toEqual(["appendStream", "appendStream", "appendStream"]);
    expect(calls.slice(3)).toEqual(["ackFusedTurn"]);
  });
});

describe("a reader", () => {
  scenario("begins at any offset", async (start) => {
    const counts = orchestration("counts", async (ctx) => {
      for (let n = 0; n < 10; n++) ctx.stream<number>("numbers").write(n);
    });
    const { env, handle } = await started(start, counts);
    await env.finish(handle);
    for (let from = 0; from <= 11; from++) {
      const offsets = (await all(handle.stream("numbers", { from }))).map(({ offset }) => offset);
      expect(offsets).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].slice(from));
    }
  });

  it("waits for values, and ends with the instance", async () => {
    await using env = await startEnvironment({ orchestrations: [waits] });
    const handle = await env.begin(waits);
    const { items, ended } = following(handle.stream(tokens));
    await env.settle();
    expect(items).toEqual(["a"]);
    await handle.raise("go");
    await env.finish(handle);
    expect([await ended, items]).toEqual(["ended", ["a", "b"]]);
  });

  it("ends when the stream is closed", async () => {
    const closes = orchestration("closes", async (ctx) => {
      ctx.stream(tokens).write("a");
      ctx.stream(tokens).close();
      await ctx.waitForEvent("go");
    });
    await using env = await startEnvironment({ orchestrations: [closes] });
    const handle = await env.client.start(closes, { instanceId: "i" });
    expect((await all(handle.stream(tokens))).map(({ value }) => value)).toEqual(["a"]);
  });

  it("waits while the start is stored and not processed", async () => {
    await using env = await startEnvironment({ orchestrations: [other] });
    const handle = await env.begin(waits);
    const { items, ended } = following(handle.stream(tokens));
    await env.settle();
    await env.startAnother({ orchestrations: [waits] });
    await env.advance(60_000);
    expect(items).toEqual(["a"]);
    await handle.raise("go");
    expect(await ended).toBe("ended");
  });

  it("of an unknown instance rejects with not-found, and of one that is deleted with gone", async () => {
    await using env = await startEnvironment({ orchestrations: [waits] });
    expect(await following(env.client.handle(waits, "nobody").stream(tokens)).ended).toBe("not-found");
    const handle = await env.begin(waits);
    const { ended } = following(handle.stream(tokens));
    await env.settle();
    await env.client.admin.delete("i", { force: true, reason: "test" });
    await env.begin(waits);
    expect(await ended).toBe("gone");
  });

  it("waits through a suspension", async () => {
    await using env = await startEnvironment({ orchestrations: [waits] });
    const handle = await env.begin(waits);
    const { items, ended } = following(handle.stream(tokens));
    await env.client.admin.suspend("i", { reason: "test" });
    await handle.raise("go");
    await env.advance(60_000);
    expect(items).toEqual(["a"]);
    await env.client.admin.resume("i", { reason: "test" });
    await env.finish(handle);
    expect([await ended, items]).toEqual(["ended", ["a", "b"]]);
  });

  scenario("goes on over continue-as-new", async (start) => {
    const rounds = orchestration("rounds", async (ctx, round: number): Promise<unknown> => {
      ctx.stream<number>("numbers").write(round);
      if (round === 3) return "done";
      return ctx.continueAsNew("rounds", round + 1);
    });
    const { env, handle } = await started(start, rounds, { input: 1 });
    const { items, ended } = following(handle.stream("numbers"));
    await env.finish(handle);
    expect([await ended, items]).toEqual(["ended", [1, 2, 3]]);
  });

  it("ends at the last value where it does not wait, and streams says which there are", async () => {
    await using env = await startEnvironment({ orchestrations: [waits] });
    const handle = await env.begin(waits);
    expect((await all(handle.stream(tokens, { wait: false }))).map(({ value }) => value)).toEqual(["a"]);
    expect(await handle.streams()).toEqual([{ stream: "tokens", first: 0, next: 1, closed: false }]);
    expect(await env.client.handle(waits, "nobody").streams()).toEqual([]);
  });

  it("rejects when its signal aborts", async () => {
    await using env = await startEnvironment({ orchestrations: [waits] });
    const handle = await env.client.start(waits, { instanceId: "i" });
    const aborts = new AbortController();
    const { ended } = following(handle.stream(tokens, { signal: aborts.signal }));
    await env.settle();
    aborts.abort();
    expect(await ended).toBe("cancelled");
  });

  it("is asked for with good options only", async () => {
    await using env = await startEnvironment({ orchestrations: [waits] });
    const handle = env.client.handle(waits, "i");
    const bad = { code: "invalid-input" };
    for (const from of [-1, 0.5, "1"])
      expect(() => handle.stream(tokens, { from: from as number })).toThrow(expect.objectContaining(bad));
    expect(() => handle.stream("")).toThrow(expect.objectContaining(bad));
    expect(() => handle.stream(tokens, { form: 1 } as object)).toThrow(expect.objectContaining(bad));
    expect(() => stream("x", { maxItems: 0 })).toThrow(expect.objectContaining(bad));
    expect(() => stream("")).toThrow(expect.objectContaining(bad));
  });

  it("shares its reads, and values that nobody can change, with others that wait at the same place", async () => {
    await using env = await startEnvironment({ orchestrations: [waits] });
    let reads = 0;
    const counted = new Proxy(env.provider, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          if (key === "readStream") reads++;
          return Reflect.apply(value, target, args);
        };
      },
    });
    const { Client, jsonCodec } = await import("@duroxide-ts/core");
    let decoded = 0;
    const codec = {
      ...jsonCodec,
      decode: (text: string): unknown => {
        decoded++;
        return jsonCodec.decode(text);
      },
    };
    const client = new Client(counted, { clock: env.clock, codec });
    const handle = await client.start(waits, { instanceId: "i" });
    await env.settle();
    const readers = Array.from({ length: 1_000 }, () => following(handle.stream(tokens)));
    await env.settle();
    expect(reads).toBeLessThanOrEqual(3);
    await handle.raise("go");
    await env.finish(handle);
    expect(new Set(await Promise.all(readers.map(({ ended }) => ended)))).toEqual(new Set(["ended"]));
    for (const { items } of readers) expect(items).toEqual(["a", "b"]);
    expect(reads).toBeLessThanOrEqual(9);
    // The probe of the codec decodes too.
    expect(decoded).toBeLessThan(100);
  });

  it("gets an object of its own", async () => {
    const shows = orchestration("shows", async (ctx) => {
      await ctx.waitForEvent("go");
      ctx.stream(stream<{ list: number[] }>("objects")).write({ list: [] });
    });
    await using env = await startEnvironment({ orchestrations: [shows] });
    const handle = await env.client.start(shows, { instanceId: "i" });
    const seen: unknown[] = [];
    const reading = async (): Promise<void> => {
      for await (const { value } of handle.stream<{ list: number[] }>("objects")) {
        value?.list.push(1);
        seen.push(value);
      }
    };
    const readers = Promise.all([reading(), reading()]);
    await env.settle();
    await handle.raise("go");
    await env.finish(handle);
    await readers;
    expect(seen).toEqual([{ list: [1] }, { list: [1] }]);
  });
});
