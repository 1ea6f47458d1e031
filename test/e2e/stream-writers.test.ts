/** Writers of streams: batches, back-pressure, the end of a stream, and a store that fails. */
import { activity, orchestration, type StepStream, type StreamItem, stream } from "@duroxide-ts/core";
import type { StreamAppend } from "@duroxide-ts/core/stores";
import { describe, expect, it } from "vitest";
import { startEnvironment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";

const tokens = stream<string>("tokens");

async function values(reading: AsyncIterable<StreamItem<unknown>>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const { value } of reading) items.push(value);
  return items;
}

/** An instance of one activity, its environment, and the appends that it makes. */
async function begun(write: (out: StepStream<string>) => Promise<unknown>, faults = new Faults()) {
  const appends: string[] = [];
  const say = activity("say", async (ctx) => write(ctx.stream(tokens)));
  const once = orchestration("once", async (ctx) => ctx.scheduleActivity(say));
  const wrap = new Faults();
  wrap.on("appendStream", (_call, [append]) => {
    const { values: texts } = append as StreamAppend;
    appends.push(texts.map((text) => JSON.parse(text)).join(""));
  });
  const env = await startEnvironment({
    orchestrations: [once],
    activities: [say],
    wrap: (provider) => wrap.wrap(faults.wrap(provider)),
  });
  const handle = await env.client.start(once, { instanceId: "i" });
  return { env, handle, appends };
}

describe("values of a delivery", () => {
  it("are stored at once, then together after 50 ms", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { env, handle, appends } = await begun(async (out) => {
      for (const text of ["a", "b", "c"]) await out.write(text);
      await promise;
    });
    await using _ = env;
    await env.settle();
    expect(appends).toEqual(["a"]);
    await env.advance(49);
    expect(appends).toEqual(["a"]);
    await env.advance(1);
    expect(appends).toEqual(["a", "bc"]);
    resolve();
    await env.finish(handle);
    expect(await values(handle.stream(tokens))).toEqual(["a", "b", "c"]);
  });

  it("are stored together as soon as they have 16 KiB", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { env, handle, appends } = await begun(async (out) => {
      await out.write("a");
      await out.write("b");
      await out.write("c".repeat(16_384));
      await promise;
    });
    await using _ = env;
    await env.settle();
    expect(appends).toEqual(["a", `b${"c".repeat(16_384)}`]);
    resolve();
    await env.finish(handle);
  });

  it("are durable when flush resolves, whichever call of stream they come from", async () => {
    const seen: unknown[] = [];
    const say = activity("say", async (ctx) => {
      void ctx.stream(tokens).write("a");
      void ctx.stream("tokens").write("b");
      await ctx.stream(tokens).flush();
      const { next } =
        (await env.provider.readStream?.({ instanceId: "i", stream: "tokens", from: 0 })) ?? {};
      seen.push(next);
    });
    const once = orchestration("once", async (ctx) => ctx.scheduleActivity(say));
    await using env = await startEnvironment({ orchestrations: [once], activities: [say] });
    await env.run(once);
    expect(seen).toEqual([2]);
  });

  it("wait while more than 8 MiB are not stored", async () => {
    const faults = new Faults();
    const { promise, resolve } = Promise.withResolvers<void>();
    faults.on("appendStream", async (call) => {
      if (call > 1) await promise;
    });
    let written = 0;
    const { env, handle } = await begun(async (out) => {
      for (let n = 0; n < 20; n++) {
        await out.write("x".repeat(1_000_000));
        written++;
      }
    }, faults);
    await using _ = env;
    await env.settle();
    expect(written).toBe(9);
    resolve();
    await env.finish(handle);
    expect(await values(handle.stream(tokens))).toHaveLength(20);
  });

  it("are stored once by an append whose answer is lost, and one that fails is repeated", async () => {
    const faults = new Faults();
    faults.on("appendStream", (call) => {
      if (call === 2) throw fault("appendStream", "unavailable");
    });
    let calls = 0;
    const say = activity("say", async (ctx) => {
      for (const text of ["a", "b"]) {
        await ctx.stream(tokens).write(text);
        await ctx.stream(tokens).flush();
      }
    });
    const once = orchestration("once", async (ctx) => ctx.scheduleActivity(say));
    await using env = await startEnvironment({
      orchestrations: [once],
      activities: [say],
      wrap: (provider) => {
        const inner = faults.wrap(provider);
        return new Proxy(inner, {
          get(target, key) {
            if (key !== "appendStream") return Reflect.get(target, key, target);
            return async (append: StreamAppend) => {
              const outcome = await target.appendStream?.(append);
              if (++calls === 1) throw fault("appendStream", "unavailable");
              return outcome;
            };
          },
        });
      },
    });
    const handle = await env.client.start(once, { instanceId: "i" });
    await env.finish(handle);
    expect(await values(handle.stream(tokens))).toEqual(["a", "b"]);
  });

  it("that a codec refuses are refused by write, and the activity goes on", async () => {
    const { env, handle } = await begun(async (out) => {
      const refused = await out.write(10n as never).catch((error: { code: string }) => error.code);
      await out.write("a");
      return refused;
    });
    await using _ = env;
    expect(await env.finish(handle)).toBe("invalid-input");
    expect(await values(handle.stream(tokens))).toEqual(["a"]);
  });

  it("are refused after the activity has ended", async () => {
    let out: StepStream<string> | undefined;
    const { env, handle } = await begun(async (given) => {
      out = given;
      await given.write("a");
    });
    await using _ = env;
    await env.finish(handle);
    await expect(out?.write("b")).rejects.toMatchObject({ code: "cancelled" });
    expect(await values(handle.stream(tokens))).toEqual(["a"]);
  });
});

describe("a closed stream", () => {
  it("refuses the writes of its writer and of others, and ends for readers", async () => {
    const codes: unknown[] = [];
    const code = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => "written",
        (error: { code: string }) => error.code,
      );
    const say = activity("say", async (ctx) => {
      await ctx.stream(tokens).write("a");
      await ctx.stream(tokens).close();
      codes.push(await code(ctx.stream(tokens).write("b")));
    });
    const more = activity("more", async (ctx) => {
      codes.push(await code(ctx.stream(tokens).write("c")));
      codes.push(await code(ctx.stream(tokens).write("d")));
    });
    const two = orchestration("two", async (ctx) => {
      await ctx.scheduleActivity(say);
      await ctx.scheduleActivity(more).catch(() => {});
      ctx.stream(tokens).write("e");
      ctx.stream(tokens).close();
      try {
        ctx.stream(tokens).write("f");
      } catch (error) {
        return (error as { code: string }).code;
      }
      return "written";
    });
    await using env = await startEnvironment({ orchestrations: [two], activities: [say, more] });
    const handle = await env.client.start(two, { instanceId: "i" });
    expect(await env.finish(handle)).toBe("ended");
    expect(codes).toEqual(["ended", "ended", "ended"]);
    expect(await values(handle.stream(tokens))).toEqual(["a"]);
  });

  it("that was closed with values on the way fails the activity that has written them", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const say = activity("say", async (ctx) => {
      await ctx.stream(tokens).write("a");
      await promise;
      void ctx.stream(tokens).write("b");
    });
    const two = orchestration("two", async (ctx) => {
      const said = ctx.scheduleActivity(say);
      await ctx.waitForEvent("go");
      ctx.stream(tokens).close();
      await ctx.scheduleTimer(1);
      return said.catch((error: Error) => error.message);
    });
    await using env = await startEnvironment({ orchestrations: [two], activities: [say] });
    const handle = await env.begin(two);
    await handle.raise("go");
    await env.advance(10);
    resolve();
    expect(await env.finish(handle)).toMatch(/is closed/);
  });

  it("is open again after a restart of its instance", async () => {
    const closes = orchestration("closes", async (ctx) => {
      ctx.stream(tokens).write("a");
      ctx.stream(tokens).close();
    });
    await using env = await startEnvironment({ orchestrations: [closes] });
    const handle = await env.client.start(closes, { instanceId: "i" });
    await env.finish(handle);
    await env.client.admin.restart("i", { reason: "test" });
    await env.finish(handle);
    expect(await values(handle.stream(tokens))).toEqual(["a", "a"]);
  });
});

describe("a store without streams", () => {
  it("is named by the error of a write, and fails the code that writes", async () => {
    const say = activity("say", async (ctx) => ctx.stream(tokens).write("a"));
    const writes = orchestration("writes", async (ctx) => {
      const error = await ctx.scheduleActivity(say).catch((thrown: Error) => thrown);
      ctx.setCustomStatus(error instanceof Error ? error.message : "written");
      await ctx.scheduleTimer(1);
      ctx.stream(tokens).write("b");
    });
    await using env = await startEnvironment({
      orchestrations: [writes],
      activities: [say],
      wrap: (provider) =>
        new Proxy(provider, {
          get(target, key) {
            if (key === "appendStream") return undefined;
            const value: unknown = Reflect.get(target, key, target);
            return typeof value === "function" ? value.bind(target) : value;
          },
        }),
    });
    const handle = await env.client.start(writes, { instanceId: "i" });
    await expect(env.finish(handle)).rejects.toThrow(/keeps no streams/);
    expect(await handle.status()).toMatchObject({ customStatus: expect.stringMatching(/keeps no streams/) });
  });
});
