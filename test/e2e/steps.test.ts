/** Steps: activities whose handler stands in the orchestration (docs/decisions/activities.md). */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { outputOf, started } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

describe("a step", () => {
  scenario("runs the function that stands where it is called, with what it captures", async (start) => {
    const shipped: string[] = [];
    const checkout = orchestration("checkout", async (ctx, order: { readonly id: string }) => {
      const receipt = await ctx.run("charge", (step) => `receipt of ${order.id} by ${step.activityName}`);
      return ctx.run("ship", async () => {
        shipped.push(receipt);
        return { receipt };
      });
    });
    const { env, handle } = await started(start, checkout, { input: { id: "o1" } });

    expect(await env.finish(handle)).toEqual({ receipt: "receipt of o1 by charge" });
    expect(shipped).toEqual(["receipt of o1 by charge"]);
    expect((await env.client.admin.history("i")).map(({ type }) => type)).toEqual([
      "OrchestrationStarted",
      "ActivityScheduled",
      "ActivityCompleted",
      "ActivityScheduled",
      "ActivityCompleted",
      "OrchestrationCompleted",
    ]);
  });

  scenario("is retried, and its last failure rejects the call", async (start) => {
    let runs = 0;
    const tries = orchestration("tries", async (ctx) =>
      ctx
        .run(
          "fails",
          () => {
            runs++;
            throw new Error("no");
          },
          { retry: { maxAttempts: 3 } },
        )
        .catch((error: Error) => error.message),
    );

    expect(await outputOf(start, tries)).toContain("no");
    expect(runs).toBe(3);
  });

  scenario("runs beside others, in a race and in branches", async (start) => {
    const many = orchestration("many", async (ctx) => {
      const values = await ctx.all([1, 2, 3].map((n) => ctx.run(`double`, () => 2 * n)));
      const first = await ctx.race([ctx.run("quick", () => "quick"), ctx.waitForEvent("never")]);
      const branch = await ctx.all([
        async (branch) => (await branch.run("a", () => 1)) + (await branch.run("b", () => 2)),
      ]);
      return [values, first.value, branch];
    });

    expect(await outputOf(start, many)).toEqual([[2, 4, 6], "quick", [3]]);
  });

  scenario("is not replaced by a registered activity of its name", async (start) => {
    const both = orchestration("both", async (ctx) => [
      await ctx.run("greet", () => "step"),
      await ctx.scheduleActivity("greet"),
    ]);
    const greet = activity("greet", async () => "activity");

    expect(await outputOf(start, both, { activities: [greet] })).toEqual(["step", "activity"]);
  });

  scenario("refuses names that no activity may have, and anything but a function", async (start) => {
    const names = orchestration("names", async (ctx) => {
      const refusal = (name: unknown, step: unknown = () => 1, options?: object): string => {
        try {
          void ctx.run(name as string, step as () => number, options);
          return "accepted";
        } catch (error) {
          return (error as Error).message;
        }
      };
      return [
        refusal(""),
        refusal("x".repeat(1_001)),
        refusal("__duroxide_syscall:new_guid"),
        refusal(undefined),
        refusal("x", 5),
        refusal("x", () => 1, { tag: "gpu" }),
      ];
    });

    expect(await outputOf(start, names)).toEqual([
      expect.stringContaining("must not be empty"),
      expect.stringContaining("1001 bytes"),
      expect.stringContaining("are reserved"),
      expect.stringContaining("run: the name"),
      expect.stringContaining("must be a function"),
      expect.stringContaining('no option "tag"'),
    ]);
  });

  scenario("refuses durable calls, and the orchestration goes on", async (start) => {
    const nested = orchestration("nested", async (ctx) => {
      const inside = await ctx.run("outer", async () => {
        const errors: string[] = [];
        const calls: readonly (() => unknown)[] = [
          () => ctx.scheduleTimer({ ms: 1 }),
          () => ctx.run("inner", () => 1),
          () => ctx.setCustomStatus("x"),
          () => ctx.kv.set("k", 1),
          () => ctx.startOrchestration("other", { instanceId: "o" }),
          () => ctx.continueAsNew("nested"),
        ];
        for (const call of calls) {
          try {
            await call();
          } catch (error) {
            errors.push((error as Error).message);
          }
        }
        return errors;
      });
      await ctx.scheduleTimer({ seconds: 1 });
      return inside;
    });
    const errors = await outputOf(start, nested);

    expect(errors).toHaveLength(6);
    for (const error of errors) expect(error).toMatch(/ctx\.\S.* inside the step "outer"/);
  });

  scenario("is taken over by a process that repeats the orchestration up to the call", async (start) => {
    let finish: (value: string) => void = () => {};
    const began = Promise.withResolvers<void>();
    let runs = 0;
    const code = orchestration("code", async (ctx, name: string) => {
      const greeting = await ctx.run("greet", () => `Hello, ${name}`);
      await ctx.kv.set("greeting", greeting);
      return ctx.run("slow", () => {
        began.resolve();
        return ++runs === 1 ? new Promise<string>((resolve) => (finish = resolve)) : `${greeting}!`;
      });
    });
    const { env } = await started(start, code, { file: true, input: "Ada" });
    await began.promise;

    await env.kill();
    await env.start();
    await env.advance(60_000);

    expect(await env.finish(env.client.handle(code, "i"))).toBe("Hello, Ada!");
    expect(runs).toBe(2);
    finish("late");
  });
});

describe("code without the step", () => {
  scenario("blocks the instance with the first difference, and no step runs", async (start) => {
    const ran: string[] = [];
    const began = Promise.withResolvers<void>();
    const before = orchestration("code", async (ctx) =>
      ctx.run("old", () => {
        began.resolve();
        return new Promise<never>(() => {});
      }),
    );
    const after = orchestration("code", async (ctx) => ctx.run("new", () => ran.push("new")));
    const { env } = await started(start, before, { file: true });
    await began.promise;

    await env.kill();
    await env.start({ orchestrations: [after] });
    await env.advance(120_000);

    const status = await env.client.handle(after, "i").status();
    expect(status).toMatchObject({
      status: "Running",
      blocked: expect.arrayContaining([
        expect.objectContaining({
          reason: "nondeterminism",
          detail: expect.stringContaining('"new", a step'),
        }),
      ]),
    });
    expect(ran).toEqual([]);
    const { work } = await env.client.admin.work({ instanceId: "i", kind: "orchestrator" });
    expect(work, "one message, however often the step was tried").toHaveLength(1);
  });

  scenario("of another version leaves the step to a process with that version", async (start) => {
    const ran: string[] = [];
    const began = Promise.withResolvers<void>();
    const version = (text: string, step: () => unknown) =>
      orchestration("code", { version: text }, async (ctx) => ctx.run("step", step));
    const hangs = version("1.0.0", () => {
      began.resolve();
      return new Promise<never>(() => {});
    });
    const { env } = await started(start, hangs, { file: true });
    await began.promise;
    await env.kill();

    await env.start({ orchestrations: [version("2.0.0", () => ran.push("2.0.0"))] });
    await env.advance(120_000);
    expect(ran).toEqual([]);
    expect(await env.client.handle(hangs, "i").status()).toMatchObject({
      blocked: [{ reason: "missing-activity", detail: expect.stringContaining("code@1.0.0") }],
    });

    await env.restart({ orchestrations: [version("1.0.0", () => "done")] });
    await env.advance(120_000);
    expect(await env.finish(env.client.handle(hangs, "i"))).toBe("done");
  });
});
