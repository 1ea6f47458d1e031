/** The values that definitions, durations and ids accept: everything else is refused where it is written. */
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { activity, event, orchestration, queue } from "../../src/define/definitions.ts";
import { type Duration, durationMs } from "../../src/define/duration.ts";
import { checkChildId, checkRootId } from "../../src/define/instance-id.ts";
import { InvalidInputError } from "../../src/errors/duroxide-error.ts";

const handler = async (): Promise<void> => {};

describe("a definition", () => {
  it("needs a name and a handler", () => {
    expect(() => activity("", handler)).toThrow(InvalidInputError);
    expect(() => activity(undefined as unknown as string, handler)).toThrow(InvalidInputError);
    expect(() => activity("a", undefined as unknown as typeof handler)).toThrow(/its handler, a function/);
    expect(() => orchestration("", handler)).toThrow(InvalidInputError);
    expect(() => event("")).toThrow(InvalidInputError);
    expect(() => queue("")).toThrow(InvalidInputError);
  });

  it("of an orchestration says what a mistake does with words that it knows", () => {
    const define = orchestration as unknown as (name: string, options: object, handler: unknown) => void;
    expect(() => define("o", { onDefect: "retry" }, handler)).toThrow(
      /orchestration "o": onDefect must be "block" or "fail"; got "retry"/,
    );
  });

  it("of an activity has no options of its calls, and says where they belong", () => {
    const define = activity as unknown as (name: string, options: object, handler: unknown) => void;
    expect(() => define("a", { retries: 3 }, handler)).toThrow(
      /no option "retries".*input, result, limit. retry and timeout are options of ctx\.scheduleActivity/,
    );
  });

  it("of an orchestration is no async generator, of which nothing would run", () => {
    // As from JavaScript: the compiler refuses it too (test/types).
    const generator = async function* (): AsyncGenerator<number, void> {
      yield 1;
    } as unknown as () => Promise<void>;
    expect(() => orchestration("o", generator)).toThrow(InvalidInputError);
    expect(() => orchestration("o", { version: "2.0.0" }, generator)).toThrow(/async generator/);
  });

  it("of an activity is no generator of either kind", () => {
    const generators = [async function* () {}, function* () {}] as unknown as (() => Promise<void>)[];
    for (const generator of generators) {
      expect(() => activity("a", generator)).toThrow(/generator, of which nothing would run/);
    }
  });

  it("has no class as its handler, which cannot be called", () => {
    class Handler {}
    const handlers = [Handler, class {}, class extends Handler {}] as unknown as (() => Promise<void>)[];
    for (const each of handlers) {
      expect(() => activity("a", each)).toThrow(/its handler is a class; pass a function/);
      expect(() => orchestration("o", { version: "2.0.0" }, each)).toThrow(InvalidInputError);
      expect(() => activity("a", handler).mock(each)).toThrow(
        /the mock of activity "a": its handler is a class/,
      );
    }
    expect(() => activity("a", handler).mock(undefined as never)).toThrow(/a function; got undefined/);
    const classify = async (): Promise<void> => {};
    expect(() => activity("classify", classify)).not.toThrow();
  });

  it("of an activity must not use the prefix of system calls", () => {
    expect(() => activity("__duroxide_syscall:mine", handler)).toThrow(/reserved/);
  });

  it("of an orchestration has a semantic version, 1.0.0 by default", () => {
    expect(orchestration("o", handler).version).toBe("1.0.0");
    expect(orchestration("o", { version: "2.1.0-rc.1" }, handler).version).toBe("2.1.0-rc.1");
    for (const version of ["", "2", "v1.0.0", "1.0"]) {
      expect(() => orchestration("o", { version }, handler)).toThrow(/semantic version/);
    }
  });

  it("of an activity can be mocked: same name and schema, other handler", async () => {
    const real = activity("a", async (_ctx, n: number) => n);
    const mock = real.mock(async (_ctx, n) => n + 1);

    expect(mock.name).toBe("a");
    expect(await mock.handler({} as never, 1)).toBe(2);
    expect(await real.handler({} as never, 1)).toBe(1);
  });
});

describe("a duration", () => {
  it("is a number of milliseconds, or units spelled out", () => {
    expect(durationMs(1_500)).toBe(1_500);
    expect(durationMs({ days: 1, hours: 2, minutes: 3, seconds: 4, ms: 5 })).toBe(93_784_005);
    expect(durationMs({ ms: 0 })).toBe(0);
  });

  it("has no fractions of a millisecond", () => {
    expect(durationMs(1.9)).toBe(1);
    expect(durationMs({ seconds: 0.0015 })).toBe(1);
  });

  it("is neither negative nor infinite nor something else", () => {
    const wrong: readonly Duration[] = [-1, Number.NaN, Number.POSITIVE_INFINITY, { ms: -5 }];
    for (const duration of wrong) expect(() => durationMs(duration)).toThrow(InvalidInputError);
    expect(() => durationMs("soon" as unknown as Duration)).toThrow(InvalidInputError);
    expect(() => durationMs(undefined as unknown as Duration)).toThrow(InvalidInputError);
    expect(() => durationMs(null as unknown as Duration)).toThrow(InvalidInputError);
  });

  it.each([
    ["no unit at all", {}],
    ["a unit without a value", { hours: undefined }],
    ["a Date", new Date(8_640_000)],
    ["a Map", new Map([["hours", 1]])],
    ["an array", [5]],
    ["a function", () => 5],
    ["a text among the units", { hours: "1" }],
    ["a bigint among the units", { hours: 1n }],
    ["a boxed number", Object(5)],
    ["a Date of another realm", runInNewContext("new Date(5)")],
    ["a duration of another library, with toJSON", { hours: 1, toJSON: () => "PT1H" }],
    [
      "a duration of another library, with getters",
      Object.create({
        get hours() {
          return 1;
        },
      }),
    ],
  ])("is not %s", (_what, duration: unknown) => {
    expect(() => durationMs(duration as Duration)).toThrow(InvalidInputError);
  });

  it("may come from another realm", () => {
    expect(durationMs(runInNewContext("({ seconds: 5 })"))).toBe(5_000);
  });

  it("with a unit that does not exist is refused", () => {
    expect(() => durationMs({ second: 5 } as unknown as Duration)).toThrow(InvalidInputError);
  });
});

describe("an instance id", () => {
  it("of a root has no marker of children, other double colons are fine", () => {
    for (const id of ["order-42", "a::b", "::", "sub", "subx::1", "Привет 🌍"])
      expect(() => checkRootId(id)).not.toThrow();
    for (const id of ["sub::1", "x::sub::1", "sub::"]) expect(() => checkRootId(id)).toThrow(/reserved/);
  });

  it("of a child must only not begin with the marker", () => {
    expect(() => checkChildId("x::sub::y")).not.toThrow();
    expect(() => checkChildId("sub::pending_1")).toThrow(/reserved/);
  });

  it("has 1 to 1,000 bytes of well-formed text", () => {
    expect(() => checkRootId("x".repeat(1_000))).not.toThrow();
    for (const id of ["", "x".repeat(1_001), "ä".repeat(501), "\ud800"]) {
      expect(() => checkRootId(id)).toThrow(InvalidInputError);
    }
    expect(() => checkRootId(42 as unknown as string)).toThrow(InvalidInputError);
  });
});
