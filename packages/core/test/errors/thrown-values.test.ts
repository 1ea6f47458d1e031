/** Whatever a handler throws becomes a failure that can be stored, and that the caller can catch. */
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileThrown } from "../../../../test/support/hostile-values.ts";
import { activity, orchestration } from "../../src/define/definitions.ts";
import { silentLogger } from "../../src/define/logger.ts";
import type { StandardSchema } from "../../src/define/standard-schema.ts";
import {
  ActivityFailedError,
  DuroxideError,
  NonRetryableError,
  refusedPayload,
  SubOrchestrationFailedError,
} from "../../src/errors/duroxide-error.ts";
import { failureStack, thrownFailure } from "../../src/errors/failure-details.ts";
import { thrownStack, thrownText } from "../../src/errors/thrown-value.ts";
import { jsonCodec } from "../../src/payload/json-codec.ts";
import { LargePayloads } from "../../src/payload/large-payloads.ts";
import { limitedCodec } from "../../src/payload/limited-codec.ts";
import type { PayloadCodec } from "../../src/payload/payload-codec.ts";
import { TestEnvironment } from "../../src/testing/index.ts";
import { decodeErrorDetails, encodeErrorDetails } from "../../src/wire/codec.ts";

describe("a thrown value", () => {
  it("can be stored and read again, whatever it is", () => {
    fc.assert(
      fc.property(hostileThrown, (make) => {
        const value = make();
        const details = thrownFailure("ActivityFailed", value);
        expect(
          () => new ActivityFailedError("a", decodeErrorDetails(encodeErrorDetails(details))),
        ).not.toThrow();
        expect(typeof thrownText(value)).toBe("string");
        expect(["string", "undefined"]).toContain(typeof thrownStack(value));
        expect(["string", "undefined"]).toContain(typeof failureStack(details, value));
      }),
      { numRuns: 1_000 },
    );
  });

  const half = "\ud83d";
  it.each<[string, () => unknown]>([
    ["message", () => new Error(`cut${half}`)],
    ["name", () => Object.assign(new Error("x"), { name: `Cut${half}` })],
    ["cause", () => new Error("x", { cause: new Error(half) })],
    ["frame", () => Object.assign(new Error("x"), { stack: `Error: x\n    at cut${half} (a.js:1:1)` })],
    ["class", () => new (Object.defineProperty(class extends Error {}, "name", { value: half }))("x")],
    ["text", () => half],
    ["message that is cut here", () => new Error(`${"x".repeat(65_534)}\u{1f600}\u{1f600}`)],
  ])("is the same before and after it is stored, also with half a character in its %s", (_, make) => {
    const details = thrownFailure("ActivityFailed", make());
    expect(decodeErrorDetails(encodeErrorDetails(details))).toEqual(details);
  });

  it.each([
    [["name must not be empty"], '["name must not be empty"]'],
    [null, "null"],
    [42, "42"],
  ])("has a message of text, also where it is %j", (message, text) => {
    const thrown = Object.assign(new Error("Bad Request"), { message, name: 7, statusCode: 400 });
    expect(thrownFailure("ActivityFailed", thrown)).toMatchObject({
      Application: { message: text, thrown: { name: "7", data: '{"statusCode":400}' } },
    });
  });

  it("has the messages of the errors that it holds, where it has none itself", () => {
    const refused = (address: string): Error => new Error(`connect ECONNREFUSED ${address}:5432`);
    const messageOf = (thrown: unknown): unknown => {
      const details = thrownFailure("ActivityFailed", thrown);
      return "Application" in details && details.Application.message;
    };
    expect(messageOf(new AggregateError([refused("::1"), refused("127.0.0.1")]))).toBe(
      "connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432",
    );
    expect(messageOf(new AggregateError([refused("::1")], "both failed"))).toBe("both failed");
    expect(messageOf(new AggregateError([]))).toBe("");
    const cyclic = new AggregateError([5, null]);
    cyclic.errors.push(cyclic);
    expect(messageOf(cyclic)).toBe("5; null");
    const many = Array.from({ length: 1_000 }, (_, n) => new Error(`e${n}`));
    expect(messageOf(new AggregateError(many))).toMatch(/^e0; e1; .*; e15; …$/);
  });

  it("keeps the data that can be read", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const thrown = Object.assign(new Error("m"), { good: 1, big: 1n, cyclic });
    Object.defineProperty(thrown, "bad", {
      enumerable: true,
      get: () => {
        throw new Error("do not read this");
      },
    });
    expect(thrownFailure("ActivityFailed", thrown)).toMatchObject({
      Application: { message: "m", thrown: { name: "Error", data: '{"good":1}' } },
    });
  });

  it("keeps no data that JSON would empty or change", () => {
    const opaque = [
      new Headers(),
      new Map([[1, 2]]),
      Buffer.from("x"),
      Number.NaN,
      new Date(Number.NaN),
      /x/,
    ];
    const members = Object.fromEntries(opaque.map((each, index) => [`m${index}`, each]));
    const thrown = Object.assign(new Error("m"), members, { response: { status: 500, ...members }, n: 1 });
    expect(thrownFailure("ActivityFailed", thrown)).toMatchObject({
      Application: { thrown: { data: '{"response":{"status":500},"n":1}' } },
    });
    expect(thrownText(new Map([[1, 2]]))).toBe("[object Map]");
  });

  it("keeps a bounded number of properties, and gives each back as its own", () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
    const kept = new ActivityFailedError(
      "a",
      thrownFailure("ActivityFailed", Object.assign(new Error("m"), many)),
    );
    expect(Object.keys(kept.cause as object)).toHaveLength(256);

    const prototype = Object.defineProperty(new TypeError("m"), "__proto__", {
      value: { evil: 1 },
      enumerable: true,
    });
    const { cause } = new ActivityFailedError("a", thrownFailure("ActivityFailed", prototype));
    expect(cause).toBeInstanceOf(Error);
    expect(Object.getPrototypeOf(cause)).toBe(Error.prototype);
    expect(Object.hasOwn(cause as object, "__proto__")).toBe(true);
  });

  it("may be an error of another realm", () => {
    const code = `Object.assign(new TypeError("card declined", { cause: new RangeError("inner") }), { code: 402 })`;
    const thrown: unknown = runInNewContext(code);
    expect(thrown).not.toBeInstanceOf(Error);
    const failed = new ActivityFailedError("a", thrownFailure("ActivityFailed", thrown));
    expect(failed.message).toBe("card declined");
    expect(failed.cause).toMatchObject({ name: "TypeError", code: 402, message: "card declined" });
    expect((failed.cause as Error).cause).toMatchObject({ name: "RangeError", message: "inner" });
    expect((failed.cause as Error).stack).toContain("evalmachine");
    const several: unknown = runInNewContext(`new AggregateError([new Error("one"), new Error("two")])`);
    expect(new ActivityFailedError("a", thrownFailure("ActivityFailed", several)).message).toBe("one; two");
  });

  it("keeps the name of its class where that is not its name, and that it is final", () => {
    class CardDeclined extends TypeError {}
    const thrownOf = (error: Error) => {
      const details = decodeErrorDetails(encodeErrorDetails(thrownFailure("ActivityFailed", error)));
      if (!("Application" in details)) throw new Error("not a failure of the application");
      const { stack: _stack, ...others } = details.Application.thrown ?? {};
      return others;
    };
    expect(thrownOf(new CardDeclined("m"))).toEqual({ name: "TypeError", class: "CardDeclined" });
    expect(thrownOf(new TypeError("m"))).toEqual({ name: "TypeError" });
    expect(thrownOf(new NonRetryableError("m"))).toEqual({ name: "NonRetryableError", retryable: false });
    const data = '{"retryable":true}';
    expect(thrownOf(Object.assign(new Error("m"), { retryable: true }))).toEqual({ name: "Error", data });
    const twice = new ActivityFailedError("a", thrownFailure("ActivityFailed", new NonRetryableError("m")));
    expect(thrownOf(twice)).toEqual({ name: "NonRetryableError", retryable: false });
    expect(twice.cause).toMatchObject({ name: "NonRetryableError", retryable: false });
  });

  it("is cut where it is too large to be a description", () => {
    const thrown = Object.assign(new Error("x".repeat(1_000_000)), { dump: "y".repeat(1_000_000) });
    expect(encodeErrorDetails(thrownFailure("ActivityFailed", thrown)).length).toBeLessThan(100_000);
  });
});

describe("a codec", () => {
  it("that throws anything refuses the payload, in words of ours", () => {
    fc.assert(
      fc.property(hostileThrown, (make) => {
        const refused = refusedPayload('input of "order"', make());
        expect(DuroxideError.is(refused)).toBe(true);
        expect(refused.message).toMatch(/^input of "order": /);
      }),
      { numRuns: 300 },
    );
  });

  it.each([undefined, null, 5, { length: 1 }])("that encodes as %j is named", (text) => {
    const mine = { name: "mine", encode: () => text as never, decode: () => 1 };
    const codec = limitedCodec(mine, 1_000, new LargePayloads(silentLogger));
    expect(() => codec.encode(1, "raised-event", "e")).toThrow(
      "the value was not encoded as a text; encode of the codec must",
    );
  });
});

describe("a handler that throws anything", () => {
  it("runs once for each attempt, and its caller catches an error", async () => {
    await fc.assert(
      fc.asyncProperty(hostileThrown, async (make) => {
        let runs = 0;
        const throws = activity("throws", async () => {
          runs++;
          throw make();
        });
        const child = orchestration("child", async () => {
          throw make();
        });
        const parent = orchestration("parent", async (ctx) => {
          const caught: unknown[] = [];
          const retry = { maxAttempts: 2 };
          await ctx.scheduleActivity(throws, undefined, { retry }).catch((error) => caught.push(error));
          await ctx.scheduleSubOrchestration(child).catch((error) => caught.push(error));
          return caught.map((error) => [
            error instanceof ActivityFailedError,
            error instanceof SubOrchestrationFailedError,
          ]);
        });
        await using env = await TestEnvironment.create({
          orchestrations: [parent, child],
          activities: [throws],
        });
        const run = await env.start(parent, { instanceId: "p" });
        expect(await run.runToEnd()).toEqual([
          [true, false],
          [false, true],
        ]);
        expect(runs).toBe(2);
      }),
      { numRuns: 60 },
    );
  });
});

/** The rejections that were unhandled while the function ran. */
async function unhandledDuring(run: () => Promise<void>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listener);
  try {
    await run();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("unhandledRejection", listener);
  }
  return unhandled;
}

const later = (): Promise<never> => Promise.reject(new Error("later"));

describe("a promise that rejects after its value was refused", () => {
  it.each<[string, () => unknown]>([
    ["a member", () => ({ forgotten: later() })],
    ["a second member", () => [Promise.resolve(1), { deep: later() }]],
    ["the result of a toJSON", () => ({ toJSON: async () => later() })],
    ["a cause", () => new Error("refused", { cause: later() })],
  ])("is handled, as %s", async (_where, make) => {
    const returns = activity("returns", async () => make() as never);
    const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity(returns));
    await using env = await TestEnvironment.create({ orchestrations: [calls], activities: [returns] });
    env.ignoreFailures();
    const unhandled = await unhandledDuring(async () => {
      const run = await env.start(calls);
      await expect(run.runToEnd()).rejects.toThrow(/which JSON would empty/);
    });
    expect(unhandled).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ["throws it", () => throwing({ inside: [later()] })],
    ["throws it as a cause", () => throwing(new Error("refused", { cause: later() }))],
    ["is asynchronous", () => later()],
    ["returns it among the issues", () => ({ issues: [{ message: "refused", path: [later()] }] })],
  ])("is handled where a schema %s and the code drops the error", async (_how, validate) => {
    const schema = { "~standard": { version: 1, vendor: "test", validate } } as unknown as StandardSchema;
    const says = activity("says", { result: schema }, async () => "hello");
    const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity(says).catch(() => "dropped"));
    await using env = await TestEnvironment.create({ orchestrations: [calls], activities: [says] });
    const unhandled = await unhandledDuring(async () => {
      expect(await (await env.start(calls)).runToEnd()).toBe("dropped");
    });
    expect(unhandled).toEqual([]);
  });

  it("is handled where a codec throws it and the code drops the error", async () => {
    const says = activity("says", async () => "unreadable");
    const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity(says).catch(() => "dropped"));
    const codec: PayloadCodec = {
      name: "throwing",
      encode: (value) => JSON.stringify(value ?? null),
      decode: (text) => (text === '"unreadable"' ? throwing({ inside: later() }) : JSON.parse(text)),
    };
    await using env = await TestEnvironment.create({ orchestrations: [calls], activities: [says], codec });
    const unhandled = await unhandledDuring(async () => {
      expect(await (await env.start(calls)).runToEnd()).toBe("dropped");
    });
    expect(unhandled).toEqual([]);
  });

  it("is handled where the encoding of a codec is asynchronous", async () => {
    const codec = limitedCodec(
      { ...jsonCodec, encode: () => later() as never },
      1_000,
      new LargePayloads(silentLogger),
    );
    const unhandled = await unhandledDuring(async () => {
      expect(() => codec.encode(1, "activity-input", "a")).toThrow(/must return one, and no promise/);
    });
    expect(unhandled).toEqual([]);
  });
});

function throwing(value: unknown): never {
  throw value;
}
