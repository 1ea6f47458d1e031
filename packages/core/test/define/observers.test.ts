/** Observers are wrapped where they are given, and one that is not given costs nothing. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import { joined, type LogFields, type Logger, silentLogger } from "../../src/define/logger.ts";
import { toLogger, toObserver } from "../../src/define/observers.ts";
import { stderrLogger } from "../../src/define/stderr-logger.ts";
import { Watchers } from "../../src/stores/watchers.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const clock = new VirtualClock();
const boom = (): never => {
  throw new Error("boom");
};
const failing: Logger = { debug: boom, info: boom, warn: boom, error: boom };

afterEach(() => vi.restoreAllMocks());

describe("a logger", () => {
  it("that never fails is called directly", () => {
    const own = stderrLogger();
    expect(toLogger(silentLogger, clock)).toBe(silentLogger);
    expect(toLogger(own, clock)).toBe(own);
    const wrapped = toLogger(failing, clock);
    expect(toLogger(wrapped, clock)).toBe(wrapped);
  });

  it("that fails is told on stderr, once a minute for all who have it", () => {
    const lines: string[] = [];
    vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
    const logger: Logger = { ...failing };
    for (const given of [toLogger(logger, clock), toLogger(logger, clock)]) {
      for (const level of ["debug", "info", "warn", "error"] as const) given[level]({}, "entry");
    }
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("logger failed, and the work goes on without it: Error: boom");
  });

  it("is called as a method, as it is at the time of the entry", () => {
    const entries: string[] = [];
    class Leveled {
      readonly entries = entries;
      debug(_fields: LogFields, message: string): void {
        this.entries.push(message);
      }
      info = silentLogger.info;
      warn = silentLogger.warn;
      error = silentLogger.error;
    }
    const given = new Leveled();
    const logger = toLogger(given, clock);
    logger.debug({}, "one");
    given.debug = (_fields, message) => void entries.push(`again ${message}`);
    logger.debug({}, "two");
    expect(entries).toEqual(["one", "again two"]);
  });

  it("gets an entry whose fields cannot be read, without them", () => {
    const fields = Object.defineProperty({}, "secret", { enumerable: true, get: boom });
    expect(joined({ instance_id: "i" }, fields)).toEqual({ instance_id: "i", unreadable_fields: true });
  });
});

it("a callback that fails is a warning with its name", async () => {
  const log = new RecordingLogger();
  const rejects = toObserver("onAdvice", async (text: string) => boom.call(text), { clock, logger: log });
  rejects("advice");
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.of("observer_failed")).toMatchObject([
    { level: "warn", fields: { observer: "onAdvice", failures: 1 } },
  ]);
});

it("a listener of a store that fails disturbs no other", async () => {
  const log = new RecordingLogger();
  const watchers = new Watchers(clock, log);
  const heard: string[] = [];
  watchers.add("i", boom);
  watchers.add("i", () => void heard.push("second"));
  watchers.notify(["i"]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toEqual(["second"]);
  expect(log.of("observer_failed")).toHaveLength(1);
});
