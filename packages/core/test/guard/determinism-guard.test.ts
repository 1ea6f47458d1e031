/** Calls that differ from run to run are named in orchestration code, and only there. */
import { afterEach, describe, expect, test } from "vitest";
import { Client } from "../../src/client/client.ts";
import { orchestration } from "../../src/define/definitions.ts";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";
import type { RuntimeOptions } from "../../src/runtime/options/runtime-options.ts";
import { MemoryProvider } from "../../src/testing/memory/provider.ts";
import { displayMessage } from "../../src/wire/error-details.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import { runScript } from "../support/run-script.ts";
import type { Answer } from "../support/scripted-provider.ts";

type Body = (ctx: OrchestrationContext) => Promise<unknown>;

const start: OrchestratorItem = {
  kind: "StartOrchestration",
  instance: "guarded",
  orchestration: "Guarded",
  input: "",
  version: null,
  parent_instance: null,
  parent_id: null,
  execution_id: 1,
};

const nameless = { instanceId: "guarded", orchestrationName: "Guarded", version: "unknown", executionId: 1 };

async function run(body: Body, options: Partial<RuntimeOptions> = {}): Promise<Answer> {
  const item = { ...nameless, history: [], messages: [start], kvSnapshot: new Map() };
  const fetched = { item, lockToken: "lock", attemptCount: 1 };
  const answers = await runScript([fetched], {
    orchestrations: [orchestration("Guarded", { onDefect: "fail" }, body)],
    options,
  });
  return answers[0] as Answer;
}

function failure(answer: Answer): string | undefined {
  if (answer.kind !== "ack") return undefined;
  const failed = answer.historyDelta.find((event) => event.type === "OrchestrationFailed");
  return failed && displayMessage(failed.details);
}

function outcomeOf(answer: Answer): string | undefined {
  if (answer.kind !== "ack") return undefined;
  return answer.historyDelta.find((event) => event.type === "OrchestrationCompleted")?.output;
}

/** Its store answers at once, so that the engine would not notice the wait. */
const client = new Client(new MemoryProvider());
const { admin } = client;

/** Awaits an empty join, which the engine answers at once. */
const nothing = (ctx: OrchestrationContext): PromiseLike<unknown> => ctx.all([]);

/** The API where Node has it. */
const { Temporal } = globalThis as { readonly Temporal?: { readonly Now: Record<string, () => unknown> } };
const temporal = ["instant", "plainDateTimeISO", "timeZoneId"].flatMap(
  (name): [string, () => unknown, string][] =>
    Temporal === undefined
      ? []
      : [[`Temporal.Now.${name}()`, () => Temporal.Now[name]?.call(Temporal.Now), "ctx.now()"]],
);

describe("in orchestration code", () => {
  test.each<[string, () => unknown, string]>([
    ["Date.now()", () => Date.now(), "ctx.now()"],
    ["new Date()", () => new Date(), "ctx.now()"],
    ["new Date()", () => Date(), "ctx.now()"],
    ["performance.now()", () => performance.now(), "ctx.now()"],
    ["process.hrtime()", () => process.hrtime(), "ctx.now()"],
    ["process.hrtime.bigint()", () => process.hrtime.bigint(), "ctx.now()"],
    ["process.uptime()", () => process.uptime(), "ctx.now()"],
    ...temporal,
    ["Intl.DateTimeFormat.format()", () => new Intl.DateTimeFormat("en").format(), "a date"],
    ["Intl.DateTimeFormat.format()", () => [undefined].map(new Intl.DateTimeFormat("en").format), "a date"],
    ["Intl.DateTimeFormat.formatToParts()", () => new Intl.DateTimeFormat("en").formatToParts(), "a date"],
    ["Math.random()", () => Math.random(), "ctx.random()"],
    ["crypto.randomUUID()", () => crypto.randomUUID(), "ctx.newGuid()"],
    ["crypto.getRandomValues()", () => crypto.getRandomValues(new Uint8Array(1)), "ctx.random()"],
    ["setTimeout()", () => setTimeout(() => {}, 1), "ctx.scheduleTimer"],
    ["AbortSignal.timeout()", () => AbortSignal.timeout(1), "ctx.race"],
    ["fetch()", () => fetch("http://127.0.0.1:1"), "an activity"],
    ["a call of a client", () => client.handle("Other", "other").status(), "an activity"],
    ["a call of a client", () => client.admin, "an activity"],
    ["a call of a client", () => admin.info("other"), "an activity"],
    ["a call of a client", () => client.start("other"), "ctx.startOrchestration()"],
  ])("%s fails the orchestration, saying what to use instead", async (call, violate, instead) => {
    const message = failure(await run(async () => violate()));
    expect(message).toContain(call);
    expect(message).toContain(instead);
    expect(message).toMatch(/\(packages\/core\/test\/guard\/determinism-guard\.test\.ts:\d+:\d+\)$/);
  });

  const places: Record<string, Body> = {
    "after an await": async (ctx) => {
      await nothing(ctx);
      return Date.now();
    },
    "in a helper": async (ctx) => {
      const helper = async (): Promise<number> => {
        await nothing(ctx);
        return Date.now();
      };
      return helper();
    },
    "in a branch of ctx.all": async (ctx) => {
      const branch = async (): Promise<number> => {
        await nothing(ctx);
        return Date.now();
      };
      return ctx.all([branch(), branch()]);
    },
    "in a branch of Promise.all": async (ctx) => {
      const branch = async (): Promise<number> => {
        await nothing(ctx);
        return Date.now();
      };
      return Promise.all([branch()]);
    },
    "in a deep recursion": async () => {
      const recursion = (depth: number): number => (depth === 0 ? Date.now() : recursion(depth - 1));
      return recursion(1_000);
    },
    "below many functions that await each other": async (ctx) => {
      const nested = async (depth: number): Promise<number> => {
        if (depth > 0) return await nested(depth - 1);
        await nothing(ctx);
        return Date.now();
      };
      return nested(1_000);
    },
    "in a branch given to race": async (ctx) =>
      ctx.race([
        async (branch) => {
          await nothing(branch);
          return Date.now();
        },
      ]),
  };
  test.each(Object.entries(places))("%s", async (_place, body) => {
    expect(failure(await run(body))).toContain("Date.now()");
  });

  test("dates that are computed, not read from the clock, are fine", async () => {
    expect(
      failure(await run(async () => new Date(2026, 0, 1).getTime() + Date.UTC(2026, 0))),
    ).toBeUndefined();
    const format = new Intl.DateTimeFormat("en", { timeZone: "UTC" });
    const formatted = async (): Promise<unknown> => [0, new Date(0)].map(format.format);
    expect(failure(await run(formatted))).toBeUndefined();
    expect(failure(await run(async () => format.formatToParts(0)))).toBeUndefined();
  });

  test("the context's own calls may read the clock, and a logger may stamp its lines", async () => {
    const stamped: number[] = [];
    const stamp = (): void => void stamped.push(Date.now());
    const logger = { debug: stamp, info: stamp, warn: stamp, error: stamp };
    const body: Body = async (ctx) => {
      ctx.log.info("hello");
      await ctx.scheduleTimer(10);
    };
    expect(failure(await run(body, { logger }))).toBeUndefined();
    expect(stamped.length).toBeGreaterThan(0);
  });
});

// answers.A1
describe("in ctx.deterministic", () => {
  test.each<[string, (ctx: OrchestrationContext) => unknown]>([
    ["Date.now()", (ctx) => Date.now() === ctx.now()],
    ["new Date()", (ctx) => new Date().toISOString() === new Date(ctx.now()).toISOString()],
    ["Date()", (ctx) => Date() === new Date(ctx.now()).toString()],
    ["performance.now()", (ctx) => performance.now() === ctx.now()],
    ["Math.random()", () => new Set([Math.random(), Math.random()]).size === 2],
    [
      "crypto.randomUUID()",
      () => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()),
    ],
    ["crypto.getRandomValues()", () => crypto.getRandomValues(new Uint32Array(8)).some((each) => each > 0)],
  ])("%s is answered", async (_call, asked) => {
    const answer = await run(async (ctx) => ctx.deterministic(async () => asked(ctx)));
    expect(failure(answer)).toBeUndefined();
    expect(outcomeOf(answer)).toBe("true");
  });

  test("random values are those of ctx.random, so every replay draws the same", async () => {
    const drawn = async (): Promise<string | undefined> =>
      outcomeOf(await run((ctx) => ctx.deterministic(() => [Math.random(), crypto.randomUUID()])));
    expect(await drawn()).toBe(await drawn());
  });

  test.each<[string, () => unknown]>([
    ["setTimeout()", () => setTimeout(() => {}, 1)],
    ["fetch()", () => fetch("http://127.0.0.1:1")],
    ["AbortSignal.timeout()", () => AbortSignal.timeout(1)],
    ["a call of a client", () => client.handle("Other", "other").status()],
  ])("%s fails the orchestration, also where the code catches the error", async (call, violate) => {
    const caught = run((ctx) =>
      ctx.deterministic(async () => {
        try {
          return await violate();
        } catch {
          return "went on";
        }
      }),
    );
    expect(failure(await caught)).toContain(call);
  });

  test("what follows a refused call is refused with the same error", async () => {
    let next: unknown;
    await run((ctx) =>
      ctx.deterministic(async () => {
        try {
          await fetch("http://127.0.0.1:1");
        } catch {}
        try {
          Date.now();
        } catch (error) {
          next = error;
        }
        return undefined;
      }),
    );
    expect(String(next)).toContain("fetch()");
  });

  // answers.A2
  test("the clock is refused again after its end", async () => {
    const after = run(async (ctx) => {
      let later: Promise<number> | undefined;
      await ctx.deterministic(() => {
        later = (async () => {
          await nothing(ctx);
          await nothing(ctx);
          return Date.now();
        })();
      });
      return later;
    });
    expect(failure(await after)).toContain("Date.now()");
  });
});

describe("what the option chooses", () => {
  test("warning lets the call through and logs it", async () => {
    const warnings: string[] = [];
    const ignore = (): void => {};
    const logger = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (_: object, text: string) => warnings.push(text),
    };
    const answer = await run(async () => typeof Date.now(), { determinismGuard: "warning", logger });
    expect(failure(answer)).toBeUndefined();
    expect(warnings.join()).toContain("Date.now()");
  });

  test("off lets everything through in silence", async () => {
    expect(failure(await run(async () => typeof Date.now(), { determinismGuard: "off" }))).toBeUndefined();
  });
});

describe("other code in the process", () => {
  const original = { now: Date.now, Date, setTimeout };
  afterEach(() => expect({ now: Date.now, Date, setTimeout }).toEqual(original));

  test("is not accused while a turn is running", async () => {
    let calls = 0;
    const bystander = async (): Promise<void> => {
      for (let n = 0; n < 200; n++) {
        await Promise.resolve();
        Date.now();
        new Date();
        Math.random();
        calls++;
      }
    };
    const body: Body = async (ctx) => {
      for (let n = 0; n < 100; n++) await nothing(ctx);
      return "done";
    };
    const [answer] = await Promise.all([run(body), bystander(), bystander()]);
    expect(failure(answer)).toBeUndefined();
    expect(calls).toBe(400);
  });

  test("recognises dates by their constructor while a runtime runs", async () => {
    const seen: unknown[] = [];
    const look = (): void => {
      const date = new Date(0);
      class Special extends Date {}
      seen.push(date.constructor === Date, Date.prototype.constructor === Date, date instanceof Date);
      seen.push(new Special(0).constructor === Special, Object.keys(Date.prototype).length === 0);
    };
    await run(async () => look());
    look();
    expect(seen).toEqual(new Array(10).fill(true));
    expect(Object.getOwnPropertyDescriptor(Date.prototype, "constructor")).toEqual({
      value: original.Date,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  });

  test("has the format function of its formatter, the same one each time", async () => {
    const format = new Intl.DateTimeFormat("en");
    const same: boolean[] = [];
    const look = (): void => {
      const [first, second] = [format.format, format.format];
      same.push(first === second && first() !== "");
    };
    const bystander = async (): Promise<void> => {
      for (let n = 0; n < 50; n++) {
        await Promise.resolve();
        look();
      }
    };
    const before = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format");
    await Promise.all([run(async (ctx) => nothing(ctx)), bystander()]);
    expect(new Set(same)).toEqual(new Set([true]));
    expect(Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format")).toEqual(before);
  });

  test("finds the globals as they were once the runtime has gone", async () => {
    await run(async () => "done");
    expect(Date.now).toBe(original.now);
  });
});
