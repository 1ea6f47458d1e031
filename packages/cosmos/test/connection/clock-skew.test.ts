/** Tests from which clock difference on the provider warns, and how often (clock-skew.CS1 to clock-skew.CS3). */
import { systemClock } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { ClockWatch, clockWarning, leastSkewMs } from "../../src/connection/clock-skew.ts";
import { toSettings } from "../../src/connection/options.ts";

const SECOND_MS = 1_700_000_000_000;

/** An answer of the service, which names whole seconds, while our clock is ahead by so much. */
function skewSeen(aheadMs: number, { latencyMs = 0, atMs = SECOND_MS } = {}): number {
  const sentMs = atMs + aheadMs;
  return leastSkewMs({ sentMs, answeredMs: sentMs + latencyMs }, Math.floor(atMs / 1_000) * 1_000);
}

const MOMENTS = [0, 1, 499, 500, 998, 999].map((ms) => SECOND_MS + ms);

describe("a clock", () => {
  it.each([2_000, 2_500, 30_000])("that is %i ms ahead or behind is reported, at each moment", (ms) => {
    for (const atMs of MOMENTS) {
      expect(clockWarning(skewSeen(ms, { atMs })), `ahead at ${atMs}`).toHaveLength(1);
      expect(clockWarning(skewSeen(-ms - 1_000, { atMs })), `behind at ${atMs}`).toHaveLength(1);
    }
  });

  it.each([-1_000, -500, 0, 500, 1_000])("that is %i ms ahead is not, at any moment", (ms) => {
    for (const atMs of MOMENTS) expect(clockWarning(skewSeen(ms, { atMs }))).toEqual([]);
  });

  it("that is right is not reported because an answer was slow", () => {
    expect(skewSeen(0, { latencyMs: 9_000 })).toBe(0);
    expect(skewSeen(-500, { latencyMs: 9_000 })).toBe(0);
  });
});

describe("answers later on", () => {
  /** Warnings of answers at these seconds, with what our clock is ahead then. */
  function warningsOf(answers: readonly (readonly [seconds: number, aheadMs: number])[]): readonly number[] {
    const told: string[] = [];
    const settings = toSettings({
      connectionString: "AccountEndpoint=http://localhost:1/;AccountKey=AAAA;",
      onWarning: (text) => told.push(text),
    });
    expect(settings.clock).toBe(systemClock);
    const watch = new ClockWatch(settings);
    const startMs = Math.ceil(systemClock.now() / 1_000) * 1_000;
    return answers.map(([seconds, aheadMs]) => {
      const before = told.length;
      const serverMs = startMs + seconds * 1_000;
      const ourMs = serverMs + aheadMs;
      watch.saw({ sentMs: ourMs, answeredMs: ourMs }, { date: new Date(serverMs).toUTCString() });
      return told.length - before;
    });
  }

  it("are looked at once a minute, and the warning is repeated once an hour", () => {
    const answers = [30, 70, 80, 140, 3_000, 3_900].map((seconds) => [seconds, 5_000] as const);
    expect(warningsOf(answers)).toEqual([0, 1, 0, 0, 0, 1]);
  });

  it("tell of a clock that is wrong again at once", () => {
    expect(
      warningsOf([
        [70, 5_000],
        [140, 0],
        [210, 5_000],
      ]),
    ).toEqual([1, 0, 1]);
  });

  it("are looked at after a clock was set back", () => {
    expect(
      warningsOf([
        [70, 0],
        [71, -600_000],
      ]),
    ).toEqual([0, 1]);
  });
});
