/** The entries that the default logger writes, and what it leaves out. stderr-logger.SL1 to stderr-logger.SL3. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hostileValue } from "../../../../test/support/hostile-values.ts";
import { type Logger, stderrLogger } from "../../src/index.ts";
import { VirtualClock } from "../../src/testing/index.ts";

let written: string[] = [];

beforeEach(() => {
  written = [];
  vi.spyOn(console, "error").mockImplementation((text: string) => void written.push(text));
});

afterEach(() => {
  vi.restoreAllMocks();
});

const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function logger(): { readonly log: Logger; readonly clock: VirtualClock } {
  const clock = new VirtualClock(START_MS);
  return { log: stderrLogger({ clock }), clock };
}

test("an entry is one line with time, level, message and fields", () => {
  const { log } = logger();
  log.warn({ event: "activity_failed", instance_id: "order 42", attempt: 2, registered: ["a"] }, "it failed");
  log.error({ nothing: undefined, empty: "", yes: true }, "worse");
  expect(written).toEqual([
    '2026-01-02T03:04:05.678Z WARN  duroxide: it failed event=activity_failed instance_id="order 42" attempt=2 registered=["a"]',
    '2026-01-02T03:04:05.678Z ERROR duroxide: worse empty="" yes=true',
  ]);
});

test("info and debug entries are not written", () => {
  const { log } = logger();
  log.info({}, "info");
  log.debug({}, "debug");
  expect(written).toEqual([]);
});

test("the stack of a field, and of an error in a field, is indented below the line", () => {
  const { log } = logger();
  const error = new TypeError("no");
  error.stack = "TypeError: no\n    at f (/app/a.js:1:2)";
  log.warn({ stack: "Error: m\n    at g (/app/b.js:3:4)\ncaused by: text", error }, "it failed");
  expect(written[0]?.split("\n").slice(1)).toEqual([
    "    Error: m",
    "      at g (/app/b.js:3:4)",
    "    caused by: text",
    "    TypeError: no",
    "      at f (/app/a.js:1:2)",
  ]);
  expect(written[0]).toContain('error="TypeError: no"');
});

describe("stderr-logger.SL1: a call never throws", () => {
  test("whatever the fields are", () => {
    fc.assert(
      fc.property(hostileValue, hostileValue, (makeFields, makeValue) => {
        const { log } = logger();
        log.warn(makeFields() as never, "message");
        log.error({ value: makeValue() }, makeValue() as never);
      }),
      { numRuns: 300 },
    );
  });

  test("and keeps the entry where a field cannot be read", () => {
    const { log } = logger();
    const fields = { good: 1 };
    const get = (): never => {
      throw new Error("no");
    };
    Object.defineProperty(fields, "event", { enumerable: true, get });
    log.warn(fields, "it failed");
    expect(written[0]).toMatch(/it failed good=1$/);
  });
});

test("stderr-logger.SL2: an entry is bounded, and has no control characters", () => {
  const { log } = logger();
  const long = "x".repeat(1_000_000);
  const stack = `Error\n${"    at f (a.js:1:1)\n".repeat(100_000)}`;
  log.warn(
    { long, nested: { long }, stack, escape: "\u001b[31mred\nnext\u009b\u202e\u2067" },
    `${long}\u001b`,
  );
  const [entry = ""] = written;
  expect(entry.length).toBeLessThan(40_000);
  expect(entry.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_C}]/u);
  expect(entry.split("\n")[0]).toContain("red next");
});

describe("stderr-logger.SL3: one cause does not flood stderr", () => {
  test("ten entries of a kind a minute are written, and then how many were left out", async () => {
    const { log, clock } = logger();
    const fail = (activity_name: string): void =>
      log.warn({ event: "activity_failed", activity_name }, "activity failed");
    for (let count = 0; count < 500; count++) fail("charge");
    expect(written).toHaveLength(10);
    expect(written[9]).toContain("(more of this kind are left out for a minute)");
    fail("ship");
    expect(written).toHaveLength(11);
    await clock.advance(60_000);
    fail("charge");
    expect(written[11]).toContain("(490 more of this kind were left out since the last one)");
  });
});
