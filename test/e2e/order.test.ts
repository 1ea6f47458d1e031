/** Checks that what came first is processed first, also if a deadline passed while nothing ran. */
import { event, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { started } from "../support/one-program.ts";
import { onEveryStore, scenario } from "../support/scenario.ts";

const approved = event<string>("approved");

const request = orchestration("request", async (ctx) => {
  const winner = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer(2_500)]);
  return winner.index === 0 ? `approved by ${winner.value}` : "nobody approved";
});

/** Stops every runtime, sends an approval at `approvedAfterMs`, and starts one again long after the deadline. */
async function throughDowntime(
  start: Parameters<Parameters<typeof scenario>[1]>[0],
  approvedAfterMs: number,
): Promise<unknown> {
  const env = await start({ orchestrations: [request] });
  const handle = await env.begin(request);
  await env.stop();
  await env.advance(approvedAfterMs);
  await handle.raise(approved, "Ada");
  await env.advance(5_000 - approvedAfterMs);
  await env.start();
  return env.finish(handle);
}

describe("while nothing runs", () => {
  scenario("an approval before the deadline wins", async (start) => {
    expect(await throughDowntime(start, 500)).toBe("approved by Ada");
  });

  scenario("an approval after the deadline loses", async (start) => {
    expect(await throughDowntime(start, 3_500)).toBe("nobody approved");
  });

  onEveryStore("timers that fell due fire by their deadlines", async (start) => {
    const naps = orchestration("naps", async (ctx) => {
      const fired: string[] = [];
      const wait = async (name: string, ms: number) => {
        await ctx.scheduleTimer(ms);
        fired.push(name);
      };
      await Promise.all([wait("late", 2_400), wait("early", 1_300)]);
      return [fired, (await ctx.race([ctx.scheduleTimer(2_400), ctx.scheduleTimer(1_300)])).index];
    });
    const { env, handle } = await started(start, naps);
    for (const _ of ["naps", "race"]) {
      await env.settle();
      await env.stop();
      await env.advance(3_000);
      await env.start();
    }
    expect(await env.finish(handle)).toEqual([["early", "late"], 1]);
  });
});

describe("timers of 20, 20 and 19 ms", () => {
  scenario(
    "fire by their deadlines, and those of one instant in the order of their creation",
    async (start) => {
      const timers = orchestration("timers", async (ctx) => {
        const fired: string[] = [];
        const wait = async (name: string, ms: number) => {
          await ctx.scheduleTimer(ms);
          fired.push(name);
        };
        await Promise.all([wait("a", 20), wait("b", 20), wait("c", 19)]);
        return fired.join();
      });
      const env = await start({ orchestrations: [timers] });

      const fired = await env.run(timers);

      // On an account time passes between the calls, so that the deadlines of "a" and "c" may be the same.
      const created = (await env.client.admin.history("i")).filter((event) => event.type === "TimerCreated");
      const deadlines = created.map((event, at) => ({ name: "abc"[at], ms: Number(event.fire_at_ms) }));
      expect(fired).toBe(
        deadlines
          .toSorted((one, other) => one.ms - other.ms)
          .map(({ name }) => name)
          .join(),
      );
    },
  );
});
