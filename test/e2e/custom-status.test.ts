/** The status that an orchestration shows to clients. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { z } from "zod";
import { begun, outputOf, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const LIMIT_BYTES = 262_144;
const echo = activity("echo", async (_ctx, text: string) => text);

describe("a custom status", () => {
  scenario("is seen by clients while the instance runs, and after its end", async (start) => {
    const shows = orchestration("shows", async (ctx) => {
      ctx.setCustomStatus({ step: 1 });
      await ctx.waitForEvent("go");
      ctx.setCustomStatus({ step: 2 });
      return "done";
    });
    const { env, handle } = await begun(start, shows);
    expect(await handle.status()).toMatchObject({ status: "Running", customStatus: { step: 1 } });

    await handle.raise("go");
    await env.finish(handle);

    expect(await handle.status()).toMatchObject({
      status: "Completed",
      output: "done",
      customStatus: { step: 2 },
      customStatusVersion: 2,
    });
  });

  scenario("is undefined unless it was set, and again once it is cleared", async (start) => {
    const clears = orchestration("clears", async (ctx) => {
      ctx.setCustomStatus("something");
      await ctx.waitForEvent("go");
      ctx.setCustomStatus(undefined);
      return ctx.getCustomStatus() === undefined;
    });
    const plain = orchestration("plain", async (ctx) => ctx.getCustomStatus() === undefined);
    const env = await start({ orchestrations: [clears, plain] });
    const handle = await env.begin(clears, { instanceId: "clears" });
    await handle.raise("go");

    expect(await env.finish(handle)).toBe(true);
    expect(await handle.status()).toMatchObject({ customStatus: undefined, customStatusVersion: 2 });
    const other = await env.client.start(plain, { instanceId: "plain" });
    expect(await env.finish(other)).toBe(true);
    expect(await other.status()).toMatchObject({ customStatus: undefined, customStatusVersion: 0 });
  });

  scenario("counts once for a turn, however often the turn sets it", async (start) => {
    const busy = orchestration("busy", async (ctx) => {
      for (const step of ["a", "b", "c"]) ctx.setCustomStatus(step);
      await ctx.scheduleTimer(1);
      ctx.setCustomStatus("d");
    });
    const { env, handle } = await started(start, busy);
    await env.finish(handle);

    expect(await handle.status()).toMatchObject({ customStatus: "d", customStatusVersion: 2 });
  });

  scenario("survives turns, failures and continue-as-new", async (start) => {
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) {
        const inherited = ctx.getCustomStatus();
        await ctx.scheduleActivity(echo, "x");
        throw new Error(`failed with ${inherited} and ${ctx.getCustomStatus()}`);
      }
      ctx.setCustomStatus("from the first");
      await ctx.scheduleActivity(echo, "x");
      return ctx.continueAsNew("moves", 1);
    });
    const { env, handle } = await started(start, moves, { activities: [echo], input: 0 });

    expect((await env.failure(handle)).message).toBe("failed with from the first and from the first");
    expect(await handle.status()).toMatchObject({ status: "Failed", customStatus: "from the first" });
  });

  scenario("that the successor sets at once is not overwritten by the inherited one", async (start) => {
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      ctx.setCustomStatus(`round ${round}`);
      if (round === 0) return ctx.continueAsNew("moves", 1);
      await ctx.scheduleTimer(1);
      return ctx.getCustomStatus();
    });

    expect(await outputOf(start, moves, { input: 0 })).toBe("round 1");
  });

  scenario("cleared before a continue-as-new stays cleared", async (start) => {
    const moves = orchestration("moves", async (ctx, round: number): Promise<unknown> => {
      if (round === 1) return ctx.getCustomStatus() ?? "nothing";
      ctx.setCustomStatus("short-lived");
      await ctx.scheduleTimer(1);
      ctx.setCustomStatus(undefined);
      return ctx.continueAsNew("moves", 1);
    });

    expect(await outputOf(start, moves, { input: 0 })).toBe("nothing");
  });

  scenario("may have 256 KiB and no byte more", async (start) => {
    const long = orchestration("long", async (ctx, letters: number) => {
      ctx.setCustomStatus("x".repeat(letters));
    });
    const env = await start({ orchestrations: [long] });
    // Two bytes are the quotes of the JSON text.
    const fits = await env.client.start(long, { instanceId: "fits", input: LIMIT_BYTES - 2 });
    const tooLong = await env.client.start(long, { instanceId: "too-long", input: LIMIT_BYTES - 1 });

    await env.finish(fits);
    expect(await env.failure(tooLong)).toMatchObject({
      message: "Custom status size (262145 bytes) exceeds limit (262144 bytes)",
      cause: { name: "LimitExceededError" },
    });
    expect(await tooLong.status()).toMatchObject({ customStatus: undefined });
  });

  scenario("that cannot be encoded throws where it is set, and changes nothing", async (start) => {
    const bad = orchestration("bad", async (ctx) => {
      ctx.setCustomStatus("good");
      try {
        ctx.setCustomStatus({ n: 1n });
      } catch (error) {
        return [(error as Error).name, ctx.getCustomStatus()];
      }
      return "no error";
    });

    expect(await outputOf(start, bad)).toEqual([expect.stringMatching(/Error$/), "good"]);
  });

  scenario("is iterated by a client until the end", async (start) => {
    const steps = orchestration("steps", async (ctx) => {
      for (const step of [1, 2, 3]) {
        ctx.setCustomStatus(step);
        await ctx.scheduleTimer(3_000);
      }
    });
    const { env, handle } = await started(start, steps);
    const collect = async () => {
      const seen: unknown[] = [];
      for await (const status of handle.customStatus()) seen.push(status);
      return seen;
    };

    expect(await env.until(collect())).toEqual([1, 2, 3]);
  });

  scenario("is iterated from a version on", async (start) => {
    const steps = orchestration("steps", async (ctx) => {
      for (const step of [1, 2, 3]) {
        ctx.setCustomStatus(step);
        await ctx.waitForEvent("next");
      }
    });
    const { env, handle } = await begun(start, steps);
    const first = await handle.status();
    for (let round = 0; round < 3; round++) {
      await handle.raise("next");
      await env.settle();
    }
    const afterVersion = "customStatusVersion" in first ? first.customStatusVersion : 0;
    const seenFrom = async (options: { readonly afterVersion?: number }) => {
      const seen: unknown[] = [];
      for await (const status of handle.customStatus(options)) seen.push(status);
      return seen;
    };

    expect(afterVersion).toBe(1);
    expect(await seenFrom({ afterVersion })).toEqual([3]);
    expect(await seenFrom({ afterVersion: 3 })).toEqual([]);
    expect(await seenFrom({})).toEqual([3]);
  });
});

function messageOf(call: () => unknown): string {
  try {
    return String(call());
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a custom status with a schema", () => {
  const Percent = z.object({ percent: z.coerce.number().max(100) });

  scenario("is refused where the code sets another one, and read as the schema has it", async (start) => {
    const shows = orchestration("shows", { customStatus: Percent }, async (ctx) => {
      ctx.setCustomStatus({ percent: "50" });
      const refuse = (): unknown => ctx.setCustomStatus({ percent: 101 });
      return [messageOf(refuse), ctx.getCustomStatus()];
    });
    const { env, handle } = await started(start, shows);
    const [message, shown] = await env.finish(handle);

    expect(message).toContain('custom status of orchestration "shows" is not valid: percent');
    expect(shown).toEqual({ percent: 50 });
    expect(await handle.status()).toMatchObject({ customStatus: { percent: 50 }, customStatusVersion: 1 });
    const seen: unknown[] = [];
    for await (const each of handle.customStatus()) seen.push(each);
    expect(seen).toEqual([{ percent: 50 }]);
    const stored = await env.provider.getInstanceStatus("i");
    expect(stored?.customStatus, "what is stored").toBe('{"percent":"50"}');
  });

  scenario(
    "that its schema does not read any more is an error of the reader, and not of the instance",
    async (start) => {
      const old = orchestration("shows", async (ctx) => {
        ctx.setCustomStatus("half");
        await ctx.waitForEvent("go");
      });
      const { env, handle } = await begun(start, old);
      const typed = orchestration("shows", { customStatus: Percent }, async () => {});

      await expect(env.client.handle(typed, "i").status()).rejects.toMatchObject({ code: "invalid-input" });
      expect(await handle.status()).toMatchObject({ status: "Running", customStatus: "half" });
    },
  );
});
