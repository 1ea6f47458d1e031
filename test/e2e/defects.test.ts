/** Mistakes of orchestration code block the instance (docs/decisions/attempts-and-blocked-work.md). */
import vm from "node:vm";
import { activity, type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import type { Environment } from "../support/environment.ts";
import { engineScenario, onEveryStore, scenario } from "../support/scenario.ts";

const note = activity("note", async (_ctx, what: string) => what);

type Body = (ctx: OrchestrationContext) => Promise<unknown>;

const order = (body: Body, onDefect?: "block" | "fail") =>
  orchestration("order", { ...(onDefect && { onDefect }) }, body);

/** Notes that it began, waits for an approval, and runs `then`. */
const approval = (then: Body): Body => {
  return async (ctx) => {
    await ctx.scheduleActivity(note, "began");
    await ctx.waitForEvent("approved");
    return then(ctx);
  };
};

const mistake = async (): Promise<never> => {
  throw new TypeError("order.lines is undefined");
};

async function block(env: Environment, id = "i"): Promise<unknown> {
  const status = await env.client.handle("order", id).status();
  return "blocked" in status ? status.blocked?.map(({ reason }) => reason) : status.status;
}

async function start(env: Environment) {
  const handle = await env.client.start("order", { instanceId: "i" });
  await env.advance(1_000);
  await handle.raise("approved");
  await env.advance(1_000);
  return handle;
}

describe("a mistake of orchestration code", () => {
  onEveryStore("blocks the instance, which goes on by itself with corrected code", async (begin) => {
    const env = await begin({ orchestrations: [order(approval(mistake))], activities: [note] });
    const handle = await start(env);

    const detail = expect.stringMatching(
      /^the code has thrown TypeError: order\.lines is undefined \(test\/e2e\/defects\.test\.ts:\d+:\d+\)$/,
    );
    expect(await handle.status()).toMatchObject({
      status: "Running",
      blocked: [{ reason: "defect", detail }],
    });
    const listed = [];
    for await (const blocked of env.client.admin.blocked({ reason: "defect" })) listed.push(blocked);
    expect(listed).toMatchObject([{ instanceId: "i", reason: "defect", detail }]);
    expect(env.log.entries).toContainEqual(
      expect.objectContaining({
        level: "warn",
        fields: expect.objectContaining({ event: "orchestration_defective", instance_id: "i" }),
        message: expect.stringMatching(
          /^blocked: the code has thrown TypeError: .*defects\.test\.ts:\d+:\d+\)\. Instance "i" waits, and so does its result: correct the code .*client\.admin\.terminate\("i"\) ends it$/,
        ),
      }),
    );
    expect(await env.history("i")).toHaveLength(4);

    await env.restart({ orchestrations: [order(approval(async () => "fixed"))], activities: [note] });
    expect(await env.finish(handle)).toBe("fixed");
  });

  onEveryStore("counts no attempt, however long it stays", async (begin) => {
    const env = await begin({
      orchestrations: [order(approval(mistake))],
      activities: [note],
      options: { maxAttempts: 1 },
    });
    const handle = await start(env);
    await env.advance(30 * 60_000);

    expect(await block(env)).toEqual(["defect"]);
    await env.restart({
      orchestrations: [order(approval(async () => "fixed"))],
      activities: [note],
      options: { maxAttempts: 1 },
    });
    expect(await env.finish(handle)).toBe("fixed");
  });

  const mistakes: Readonly<Record<string, () => unknown>> = {
    "an unknown name": () => vm.runInThisContext("notDefined"),
    "a property of undefined": () => (undefined as unknown as { id: string }).id,
    "an invalid text": () => JSON.parse("{"),
    "an endless recursion": function again(): unknown {
      return [again()];
    },
    "a call that the guard refuses": () => Date.now(),
    "an error of another realm": () => vm.runInNewContext("undefined.id"),
  };
  for (const [what, run] of Object.entries(mistakes)) {
    engineScenario(`is ${what}`, async (begin) => {
      const env = await begin({ orchestrations: [order(approval(async () => run()))], activities: [note] });
      await start(env);
      expect(await block(env)).toEqual(["defect"]);
    });
  }

  class InvalidAddress extends TypeError {}
  const fetches = activity("fetches", async (): Promise<never> => {
    throw new TypeError("fetch failed");
  });
  const others: Readonly<Record<string, Body>> = {
    "an error of a class of the program": async () => {
      throw new InvalidAddress("no street");
    },
    "a TypeError of an activity": async (ctx) => ctx.scheduleActivity(fetches),
    "the cause of a failed activity": async (ctx) =>
      ctx.scheduleActivity(fetches).catch((error: Error) => {
        throw error.cause;
      }),
    "another error": async () => {
      throw new Error("declined");
    },
  };
  for (const [what, body] of Object.entries(others)) {
    engineScenario(`is not ${what}, which fails the instance`, async (begin) => {
      const env = await begin({ orchestrations: [order(body)], activities: [fetches] });
      const handle = await env.client.start("order", { instanceId: "i" });
      expect((await env.failure(handle)).name).toBe("OrchestrationFailedError");
    });
  }

  engineScenario("blocks nothing where the code catches it", async (begin) => {
    const body: Body = async () => {
      try {
        return Date.now();
      } catch {
        return "caught";
      }
    };
    const env = await begin({ orchestrations: [order(body)] });
    expect(await env.run("order")).toBe("caught");
  });

  scenario('fails the instance with onDefect: "fail"', async (begin) => {
    const env = await begin({ orchestrations: [order(mistake, "fail")] });
    const failure = await env.failureOf("order");
    expect(failure).toMatchObject({ message: "order.lines is undefined", cause: { name: "TypeError" } });
  });

  onEveryStore("lets the instance be cancelled and terminated", async (begin) => {
    const env = await begin({ orchestrations: [order(approval(mistake))], activities: [note] });
    const handle = await start(env);
    const other = await env.client.start("order", { instanceId: "j" });
    await env.advance(1_000);
    await other.raise("approved");
    await env.advance(1_000);
    expect(await block(env, "j")).toEqual(["defect"]);
    await handle.cancel("given up");
    await env.client.admin.terminate("j", { reason: "ended by hand" });

    expect((await env.failure(handle)).message).toBe("canceled: given up");
    expect((await env.failure(other)).message).toContain("canceled: terminated: ended by hand");
  });

  onEveryStore("in its first turn lets the start be cancelled and terminated", async (begin) => {
    const env = await begin({ orchestrations: [order(mistake)] });
    const handle = await env.client.start("order", { instanceId: "i" });
    const other = await env.client.start("order", { instanceId: "j" });
    await env.advance(1_000);
    expect([await block(env, "i"), await block(env, "j")]).toEqual([["defect"], ["defect"]]);
    await handle.cancel("given up");
    await env.client.admin.terminate("j", { reason: "ended by hand" });

    expect((await env.failure(handle)).message).toBe("canceled: given up");
    expect((await env.failure(other)).message).toBe("canceled: terminated: ended by hand");
  });

  engineScenario("ends at the deadline of the instance", async (begin) => {
    const env = await begin({ orchestrations: [order(mistake)] });
    const handle = await env.client.start("order", { instanceId: "i", timeout: { minutes: 5 } });
    expect((await env.failure(handle)).message).toContain("timeout");
  });

  engineScenario("of a child blocks the child, and its parent waits", async (begin) => {
    const parent = (body: Body) => [
      order(body),
      orchestration("parent", async (ctx) =>
        ctx.scheduleSubOrchestration("order", undefined, { instanceId: "i" }),
      ),
    ];
    const env = await begin({ orchestrations: parent(mistake) });
    const handle = await env.client.start("parent", { instanceId: "p" });
    await env.advance(60_000);
    expect(await block(env, "i")).toEqual(["defect"]);
    expect((await handle.status()).status).toBe("Running");

    await env.restart({ orchestrations: parent(async () => "fixed") });
    expect(await env.finish(handle)).toBe("fixed");
  });

  engineScenario("after continueAsNew changes nothing, as any error there", async (begin) => {
    const body = orchestration("order", async (ctx, round: number): Promise<number> => {
      if (round > 0) return round;
      void ctx.continueAsNew("order", 1);
      throw new TypeError("too late");
    });
    const env = await begin({ orchestrations: [body] });
    expect(await env.run(body, { instanceId: "i", input: 0 })).toBe(1);
  });

  for (const join of ["all", "map"] as const) {
    engineScenario(`in a branch of ${join} blocks before the other branches go on`, async (begin) => {
      const body = (fails: boolean): Body => {
        const branch = async (ctx: OrchestrationContext, n: number): Promise<string> => {
          await ctx.scheduleActivity(note, `first ${n}`);
          if (fails && n === 0) throw new TypeError("in a branch");
          await ctx.scheduleTimer({ minutes: 1 });
          return ctx.scheduleActivity(note, `second ${n}`);
        };
        if (join === "map") return async (ctx) => ctx.map([0, 1], branch);
        return async (ctx) => ctx.all([(b) => branch(b, 0), (b) => branch(b, 1)]);
      };
      const env = await begin({ orchestrations: [order(body(true))], activities: [note] });
      const handle = await env.client.start("order", { instanceId: "i" });
      await env.advance(5 * 60_000);
      expect(await block(env)).toEqual(["defect"]);

      await env.restart({ orchestrations: [order(body(false))], activities: [note] });
      expect(await env.finish(handle)).toEqual(["second 0", "second 1"]);
    });
  }
});

describe("a mistake of orchestration code in a saga", () => {
  const saga = (log: string[], then: () => unknown, onDefect?: "block" | "fail") =>
    order(async (ctx) => {
      const steps = ctx.saga();
      await steps.run(
        "reserve",
        () => "seat",
        (seat) => void log.push(`release ${seat}`),
      );
      return then();
    }, onDefect);

  scenario("undoes nothing, and goes on with corrected code", async (begin) => {
    const log: string[] = [];
    const env = await begin({ orchestrations: [saga(log, mistake)] });
    const handle = await env.client.start("order", { instanceId: "i" });
    await env.advance(10 * 60_000);
    expect(await block(env)).toEqual(["defect"]);
    expect(log).toEqual([]);

    await env.restart({ orchestrations: [saga(log, () => "fixed")] });
    expect(await env.finish(handle)).toBe("fixed");
    expect(log).toEqual([]);
  });

  scenario("undoes it if the instance is cancelled meanwhile", async (begin) => {
    const log: string[] = [];
    const env = await begin({ orchestrations: [saga(log, mistake)] });
    const handle = await env.client.start("order", { instanceId: "i" });
    await env.advance(60_000);
    await handle.cancel("never mind");

    expect((await env.failure(handle)).message).toBe("canceled: never mind");
    expect(log).toEqual(["release seat"]);
  });

  engineScenario("whose failure history has decided goes on with the undos", async (begin) => {
    const log: string[] = [];
    let isClosed = true;
    const body = (onDefect: "block" | "fail") =>
      order(async (ctx) => {
        const steps = ctx.saga();
        await steps.run(
          "reserve",
          () => "seat",
          (seat) => {
            if (isClosed) throw new Error("closed");
            log.push(`release ${seat}`);
          },
        );
        throw new TypeError("a mistake");
      }, onDefect);
    const env = await begin({ orchestrations: [body("fail")] });
    const handle = await env.client.start("order", { instanceId: "i" });
    await env.advance(1_000);
    isClosed = false;
    await env.restart({ orchestrations: [body("block")] });

    expect((await env.failure(handle)).message).toBe("a mistake");
    expect(log).toEqual(["release seat"]);
  });
});

describe("a mistake in the clean-up of a cancelled instance", () => {
  const cleaned = (log: string[], fails: boolean) =>
    order(async (ctx) => {
      for (const what of ["first", "second"])
        ctx.onCancel(async (clean) => {
          if (fails && what === "second") throw new TypeError("not a function");
          log.push(await clean.scheduleActivity(note, `clean ${what}`));
        });
      await ctx.waitForEvent("never");
    });

  scenario("blocks it, and the clean-up goes on with corrected code", async (begin) => {
    const log: string[] = [];
    const env = await begin({ orchestrations: [cleaned(log, true)], activities: [note] });
    const handle = await env.client.start("order", { instanceId: "i" });
    await env.advance(1_000);
    await handle.cancel("changed my mind");
    await env.advance(60_000);
    expect(await block(env)).toEqual(["defect"]);
    expect(log).toEqual([]);

    await env.restart({ orchestrations: [cleaned(log, false)], activities: [note] });
    expect((await env.failure(handle)).message).toBe("canceled: changed my mind");
    expect(new Set(log)).toEqual(new Set(["clean second", "clean first"]));
  });

  scenario("can be ended by hand", async (begin) => {
    const env = await begin({ orchestrations: [cleaned([], true)], activities: [note] });
    const handle = await env.client.start("order", { instanceId: "i" });
    await env.advance(1_000);
    await handle.cancel("changed my mind");
    await env.advance(1_000);
    await env.client.admin.terminate("i", { reason: "ended by hand" });

    expect((await env.failure(handle)).message).toContain("canceled: terminated: ended by hand");
  });
});
