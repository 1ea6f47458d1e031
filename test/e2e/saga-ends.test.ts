/** A saga of five steps that is cancelled, or out of time, at each of its awaits and each of its undos. */
import { orchestration, sleep } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import type { Environment } from "../support/environment.ts";
import { scenario } from "../support/scenario.ts";

const STEPS = [1, 2, 3, 4, 5] as const;
const SECOND = 1_000;

/** Each step takes a second, and so does the wait behind it; each undo takes a second. */
function sagaOn(now: () => Environment, undone: string[], failsAtEnd: boolean) {
  return orchestration("order", async (ctx) => {
    const saga = ctx.saga();
    for (const step of STEPS) {
      await saga.run(
        `step ${step}`,
        async (run) => {
          await sleep(now().clock, SECOND, run.signal);
          run.signal.throwIfAborted();
          return `outcome ${step}`;
        },
        async (outcome, run) => {
          await sleep(now().clock, SECOND, run.signal);
          run.signal.throwIfAborted();
          undone.push(outcome);
        },
      );
      await ctx.scheduleTimer({ seconds: 1 });
    }
    if (failsAtEnd) throw new Error("after all steps");
    await ctx.waitForEvent("never");
  });
}

/** The steps that are done after so many seconds and a half, the last one first. */
const doneAfter = (seconds: number): readonly string[] =>
  STEPS.slice(0, Math.min(STEPS.length, Math.floor((seconds + 1) / 2)))
    .map((step) => `outcome ${step}`)
    .toReversed();

describe("a saga", () => {
  for (let seconds = 0; seconds <= 10; seconds++) {
    scenario(`that is cancelled after ${seconds}.5 s undoes what is done, once`, async (start) => {
      const undone: string[] = [];
      const order = sagaOn(() => env, undone, false);
      const env = await start({ orchestrations: [order] });
      env.needsVirtualTime("its steps take a second");
      const handle = await env.client.start(order, { instanceId: "i" });
      await env.advance(seconds * SECOND + 500);
      await handle.cancel("changed my mind");

      expect((await env.failure(handle)).message).toBe("canceled: changed my mind");
      expect(undone).toEqual(doneAfter(seconds));
    });

    scenario(`that is out of time after ${seconds}.5 s undoes what is done, once`, async (start) => {
      const undone: string[] = [];
      const order = sagaOn(() => env, undone, false);
      const env = await start({ orchestrations: [order] });
      env.needsVirtualTime("its steps take a second");
      const timeout = { ms: seconds * SECOND + 500 };

      expect((await env.failureOf(order, { timeout })).message).toContain("timeout");
      expect(undone).toEqual(doneAfter(seconds));
    });
  }

  for (const [undo] of STEPS.entries()) {
    scenario(`that is cancelled in its undo ${undo + 1} undoes each step once`, async (start) => {
      const undone: string[] = [];
      const order = sagaOn(() => env, undone, true);
      const env = await start({ orchestrations: [order] });
      env.needsVirtualTime("its steps take a second");
      const handle = await env.client.start(order, { instanceId: "i" });
      await env.advance((2 * STEPS.length + undo) * SECOND + 500);
      await handle.cancel("never mind");

      expect((await env.failure(handle)).message).toBe("canceled: never mind");
      expect(undone).toEqual(doneAfter(2 * STEPS.length));
      // undo-stack.US2
      const history = await env.client.admin.history("i");
      const calls = history.flatMap((event) => (event.type === "ActivityScheduled" ? [event.name] : []));
      expect(calls.filter((name) => name.startsWith("undo "))).toEqual(
        STEPS.map((step) => `undo step ${step}`).toReversed(),
      );
    });
  }
});
