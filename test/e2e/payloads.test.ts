/** Tests what goes through the store: schemas at every edge, values that cannot be written, errors that were thrown. */
import {
  ActivityFailedError,
  activity,
  event,
  InvalidInputError,
  orchestration,
  queue,
  rustTypedCodec,
} from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { z } from "zod";
import { begun, failureOf, outputOf, started } from "../support/one-program.ts";
import { engineScenario, scenario } from "../support/scenario.ts";

const Order = z.object({ id: z.string(), cents: z.coerce.number().int() });
/** Result of plain JavaScript: the compiler refuses it. */
const unwritable: unknown = { big: 1n };

const price = activity("price", { input: Order }, async (_ctx, order) => order.cents + 1);

describe("a schema", () => {
  scenario("of an orchestration transforms what the handler gets", async (start) => {
    const pays = orchestration("pays", { input: Order }, async (_ctx, order) => order.cents + 1);
    const { env, handle } = await started(start, pays, { input: { id: "o", cents: "41" } });

    expect(await env.finish(handle)).toBe(42);
    expect(await env.history("i")).toContain('1 OrchestrationStarted: pays@1.0.0 {"id":"o","cents":"41"}');
  });

  engineScenario("of an orchestration is checked where it is started: nothing is stored", async (start) => {
    const pays = orchestration("pays", { input: Order }, async (_ctx, order) => order.cents);
    const env = await start({ orchestrations: [pays] });
    const input = { id: 7, cents: 1 } as unknown as z.input<typeof Order>;

    await expect(env.client.start(pays, { instanceId: "i", input })).rejects.toThrow(/id: /);
    await env.settle();
    expect(await env.client.handle(pays, "i").status()).toEqual({ status: "NotFound" });
  });

  engineScenario("of an orchestration is checked where it runs, too", async (start) => {
    const pays = orchestration("pays", { input: Order }, async (_ctx, order) => order.cents);
    const env = await start({ orchestrations: [pays] });
    const handle = await env.client.start("pays", { instanceId: "i", input: { id: 7 } });

    expect(await env.failure(handle)).toMatchObject({
      message: expect.stringContaining('input of orchestration "pays" is not valid'),
      cause: { name: "InvalidInputError" },
    });
  });

  engineScenario("of an activity is checked at the call and applied at the handler", async (start) => {
    const calls = orchestration("calls", async (ctx) => {
      const good = await ctx.scheduleActivity(price, { id: "o", cents: "41" });
      const wrong = { id: "o", cents: "many" };
      const refused = await ctx.scheduleActivity("price", wrong).catch((error: Error) => error);
      let atCall: unknown;
      try {
        await ctx.scheduleActivity(price, wrong);
      } catch (error) {
        atCall = error;
      }
      return [good, refused instanceof ActivityFailedError, atCall instanceof InvalidInputError];
    });
    const env = await start({ orchestrations: [calls], activities: [price] });

    expect(await env.run(calls)).toEqual([42, true, true]);
    expect((await env.history("i")).filter((line) => line.includes("ActivityScheduled"))).toHaveLength(2);
  });

  // context.X3
  engineScenario("of an activity or a child transforms its input once", async (start) => {
    const Longer = z.string().transform((text) => `${text}!`);
    const shouts = activity("shouts", { input: Longer }, async (_ctx, text) => text);
    const child = orchestration("child", { input: Longer }, async (_ctx, text) => text);
    const parent = orchestration("parent", async (ctx) => [
      await ctx.scheduleActivity(shouts, "a"),
      await ctx.scheduleSubOrchestration(child, "b"),
    ]);
    const env = await start({ orchestrations: [parent, child], activities: [shouts] });

    expect(await env.run(parent, { instanceId: "p" })).toEqual(["a!", "b!"]);
  });

  engineScenario("of a child is checked at the call", async (start) => {
    const child = orchestration("child", { input: Order }, async (_ctx, order) => order.cents);
    const parent = orchestration("parent", async (ctx) => {
      const wrong = {} as unknown as z.input<typeof Order>;
      return ctx.scheduleSubOrchestration(child, wrong);
    });
    const env = await start({ orchestrations: [parent, child] });

    expect(await env.failureOf(parent, { instanceId: "p" })).toMatchObject({
      message: expect.stringContaining('input of "child" is not valid'),
    });
    expect(await env.history("p")).toHaveLength(2);
  });

  engineScenario("of a queue refuses a bad message where it is sent", async (start) => {
    const numbers = queue("numbers", { schema: z.number() });
    const reads = orchestration("reads", async (ctx) => ctx.dequeue(numbers));
    const { env, handle } = await begun(start, reads);
    await expect(handle.enqueue(numbers, "x" as unknown as number)).rejects.toThrow(InvalidInputError);
    await handle.enqueue(numbers, 5);

    expect(await env.finish(handle)).toBe(5);
  });

  engineScenario("that allows for nothing gets undefined, though the store has null", async (start) => {
    const Maybe = z.number().optional();
    const orNull = z.number().nullable();
    const poke = event("poke", { schema: z.undefined() });
    const takes = activity("takes", { input: Maybe }, async (_ctx, n) => n === undefined);
    const nullable = activity("nullable", { input: orNull }, async (_ctx, n) => n === null);
    const optional = orchestration("optional", { input: Maybe }, async (ctx, n) => {
      const given = await ctx.all([ctx.scheduleActivity(takes), ctx.scheduleActivity(nullable, null)]);
      return [n === undefined, ...given, (await ctx.waitForEvent(poke)) === undefined];
    });
    const { env, handle } = await begun(start, optional, { activities: [takes, nullable] });
    await handle.raise(poke);

    expect(await env.finish(handle)).toEqual([true, true, true, true]);
  });

  engineScenario("that validates asynchronously is refused, for replay cannot wait", async (start) => {
    const slow = z.string().refine(async () => true);
    const checks = orchestration("checks", { input: slow }, async (_ctx, text) => text);
    const env = await start({ orchestrations: [checks] });

    await expect(env.client.start(checks, { instanceId: "i", input: "x" })).rejects.toThrow(/asynchronous/);
  });
});

// context.X1
describe("a value that cannot be written", () => {
  engineScenario("is refused as the input of an activity or a child", async (start) => {
    const calls = orchestration("calls", async (ctx) => {
      const names: string[] = [];
      const attempts = [
        () => ctx.scheduleActivity("any", unwritable),
        () => ctx.scheduleSubOrchestration("any", unwritable),
        async () => ctx.startOrchestration("any", { instanceId: "x", input: unwritable }),
        () => ctx.continueAsNew("any", unwritable),
      ];
      for (const attempt of attempts) {
        try {
          await attempt();
        } catch (error) {
          names.push((error as Error).name);
        }
      }
      return names;
    });
    const env = await start({ orchestrations: [calls] });

    expect(await env.run(calls)).toEqual(Array(4).fill("InvalidInputError"));
    expect(await env.history("i")).toHaveLength(2);
  });

  engineScenario("fails the activity that returns it", async (start) => {
    const calls = orchestration("calls", async (ctx) =>
      ctx.scheduleActivity("returns").catch((error: Error) => error.constructor.name),
    );
    const env = await start({
      orchestrations: [calls],
      activities: [activity("returns", async () => unwritable)],
    });

    expect(await env.run(calls)).toBe("ActivityFailedError");
  });

  engineScenario("fails the orchestration that returns it", async (start) => {
    const returns = orchestration("returns", async (ctx) => {
      await ctx.scheduleTimer(1);
      return unwritable;
    });
    const error = await failureOf(start, returns);

    expect(error).toMatchObject({ code: "orchestration-failed" });
    expect(error.message).toMatch(/bigint/i);
  });
});

describe("a payload", () => {
  scenario("of a megabyte, of any script, or of nothing comes back as it was", async (start) => {
    const echo = activity("echo", async (_ctx, value: unknown) => value);
    const values: readonly unknown[] = [
      "x".repeat(1_000_000),
      "Привет, 世界 🌍\u0000",
      "",
      null,
      [],
      {},
      0,
      false,
    ];
    const echoes = orchestration("echoes", async (ctx) =>
      ctx.all(values.map((value) => ctx.scheduleActivity(echo, value))),
    );

    expect(await outputOf(start, echoes, { activities: [echo] })).toEqual(values);
  });

  scenario("is written by the codec of runtime and client", async (start) => {
    const shout = orchestration("shout", async (_ctx, text: string) => text.toUpperCase());
    const env = await start({ orchestrations: [shout], options: { codec: rustTypedCodec } });

    expect(await env.run(shout, { input: "plain text" })).toBe("PLAIN TEXT");
    expect(await env.history("i")).toEqual([
      "1 OrchestrationStarted: shout@1.0.0 plain text",
      "2 OrchestrationCompleted: PLAIN TEXT",
    ]);
  });
});

describe("a thrown error", () => {
  class PaymentError extends Error {
    override readonly name = "PaymentError";
    readonly cents: number;
    constructor(message: string, cents: number) {
      super(message);
      this.cents = cents;
    }
  }

  engineScenario(
    "keeps message, name and data on its way through activity, child, parent and client",
    async (start) => {
      const pay = activity("pay", async (): Promise<string> => {
        throw new PaymentError("declined", 4_200);
      });
      const seen: unknown[] = [];
      const child = orchestration("child", async (ctx) => {
        try {
          return await ctx.scheduleActivity(pay);
        } catch (error) {
          const { message, cause } = error as Error;
          const { name, cents } = cause as PaymentError;
          throw new PaymentError(`${message} (${name})`, cents + 1);
        }
      });
      const parent = orchestration("parent", async (ctx) => {
        try {
          return await ctx.scheduleSubOrchestration(child);
        } catch (error) {
          seen.push({ ...((error as Error).cause as PaymentError) });
          throw (error as Error).cause;
        }
      });
      const env = await start({ orchestrations: [parent, child], activities: [pay] });

      const error = await env.failureOf(parent, { instanceId: "p" });

      expect(error).toMatchObject({
        message: "declined (PaymentError)",
        cause: { name: "PaymentError", message: "declined (PaymentError)", cents: 4_201 },
      });
      expect(seen).toContainEqual({ cents: 4_201 });
    },
  );

  engineScenario("whose data cannot be written keeps its message and name", async (start) => {
    const odd = activity("odd", async (): Promise<string> => {
      const error = Object.assign(new TypeError("odd one"), { self: {} as unknown });
      error.self = error;
      throw error;
    });
    const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity(odd));
    const env = await start({ orchestrations: [calls], activities: [odd] });

    // What the orchestration lets through is the activity's failure; the cause of that is what was thrown.
    expect(await env.failureOf(calls)).toMatchObject({
      message: "odd one",
    });
  });

  engineScenario(
    "that no code catches is known by its own name to the client, however deep it was thrown",
    async (start) => {
      const pay = activity("pay", async (): Promise<string> => {
        throw new PaymentError("declined", 4_200);
      });
      const deep = orchestration(
        "deep",
        async (ctx, levels: number): Promise<unknown> =>
          levels === 0 ? ctx.scheduleActivity(pay) : ctx.scheduleSubOrchestration("deep", levels - 1),
      );
      const error = await failureOf(start, deep, { activities: [pay], input: 5 });

      expect(error).toMatchObject({
        message: "declined",
        cause: { name: "PaymentError", message: "declined", cents: 4_200 },
        details: { Application: { thrown: { name: "PaymentError", data: '{"cents":4200}' } } },
      });
    },
  );
});
