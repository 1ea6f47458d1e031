import { describe, expect, it } from "vitest";
import { type TimerTime, timerDueMs } from "../../src/define/timer-time.ts";

const NOW = Date.parse("2026-01-15T10:20:30.400Z");
const CLOCK = NOW + 500;

const due = (time: TimerTime, now = NOW): string => new Date(timerDueMs(time, CLOCK, now)).toISOString();
const cron = (expression: string, after: string, timezone?: string): string =>
  due({ cron: expression, ...(timezone !== undefined && { timezone }) }, Date.parse(after));

describe("the time of a timer", () => {
  it("is a duration from the clock on, or a date", () => {
    expect(timerDueMs({ seconds: 5 }, CLOCK, NOW)).toBe(CLOCK + 5_000);
    expect(timerDueMs(new Date(7), CLOCK, NOW)).toBe(7);
  });

  it("is an instant, which may have passed", () => {
    for (const until of [new Date(NOW), NOW, NOW + 0.5]) expect(timerDueMs({ until }, CLOCK, NOW)).toBe(NOW);
    expect(timerDueMs({ until: -5 }, CLOCK, NOW)).toBe(0);
    expect(timerDueMs({ until: 8.64e15 }, CLOCK, NOW)).toBe(8.64e15);
  });

  it.each([
    [{ until: Number.NaN }, /until must be a Date.*got NaN/],
    [{ until: new Date(Number.NaN) }, /got an invalid Date/],
    [{ until: Number.POSITIVE_INFINITY }, /got Infinity/],
    [{ until: 8.64e15 + 2 }, /up to the last that a Date can hold/],
    [{ until: "2030-01-01" }, /got "2030-01-01"/],
    [{ until: undefined }, /got undefined/],
    [{ until: 5, hours: 1 }, /there is no option "hours"/],
    [{ cron: "0 3 * * *", timeZone: "UTC" }, /did you mean "timezone"/],
    [{ timezone: "UTC" }, /cron must be an expression/],
    [{ cron: 5 }, /cron must be an expression.*got 5/],
    [{ cron: "2027-01-01T00:00:00" }, /cron must be an expression/],
    [{ cron: "" }, /cron ""/],
    [{ cron: "0 25 * * *" }, /cron "0 25/],
    [{ cron: "0 0 0 1 1 * 2030" }, /requires exactly 5 or 6/],
    [{ cron: "0 0 30 2 *" }, /has no time to come/],
    [{ cron: "0 3 * * *", timezone: "Mars/Olympus" }, /timezone must be the IANA name/],
    [{ cron: "0 3 * * *", timezone: 2 }, /timezone must be the IANA name/],
  ])("is refused where it is none: %o", (time, message) => {
    expect(() => timerDueMs(time as unknown as TimerTime, CLOCK, NOW)).toThrow(message);
  });
});

describe("a cron expression", () => {
  it("is due after the present of the code, never at it", () => {
    expect(cron("0 3 * * *", "2026-01-15T02:59:59.999Z")).toBe("2026-01-15T03:00:00.000Z");
    expect(cron("0 3 * * *", "2026-01-15T03:00:00.000Z")).toBe("2026-01-16T03:00:00.000Z");
    expect(cron("*/10 * * * * *", "2026-01-15T03:00:01Z")).toBe("2026-01-15T03:00:10.000Z");
  });

  it("knows names, the last day, the n-th weekday, and a day of the month or of the week", () => {
    expect(cron("0 9 * * MON", "2026-01-15T00:00:00Z")).toBe("2026-01-19T09:00:00.000Z");
    expect(cron("0 0 L * *", "2026-02-01T00:00:00Z")).toBe("2026-02-28T00:00:00.000Z");
    expect(cron("0 0 29 2 *", "2026-02-01T00:00:00Z")).toBe("2028-02-29T00:00:00.000Z");
    expect(cron("0 0 * * FRI#2", "2026-02-01T00:00:00Z")).toBe("2026-02-13T00:00:00.000Z");
    expect(cron("0 0 20 * FRI", "2026-01-15T00:00:00Z")).toBe("2026-01-16T00:00:00.000Z");
  });

  it("is read in UTC, or in its time zone", () => {
    expect(cron("0 3 * * *", "2026-07-01T00:00:00Z")).toBe("2026-07-01T03:00:00.000Z");
    expect(cron("0 3 * * *", "2026-07-01T00:00:00Z", "Europe/Berlin")).toBe("2026-07-01T01:00:00.000Z");
    expect(cron("0 3 * * *", "2026-01-01T00:00:00Z", "Europe/Berlin")).toBe("2026-01-01T02:00:00.000Z");
  });

  it("is due right after the gap at a local time that is skipped", () => {
    expect(cron("30 2 * * *", "2026-03-28T12:00:00Z", "Europe/Berlin")).toBe("2026-03-29T01:00:00.000Z");
    expect(cron("30 2 * * *", "2026-03-29T01:00:00Z", "Europe/Berlin")).toBe("2026-03-30T00:30:00.000Z");
  });

  it("is due once, at the first occurrence, at a local time that comes twice", () => {
    expect(cron("30 2 * * *", "2026-10-24T12:00:00Z", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
    expect(cron("30 2 * * *", "2026-10-25T00:30:00Z", "Europe/Berlin")).toBe("2026-10-26T01:30:00.000Z");
  });

  it("is due once for each time of a list or range, also at a change to or from summer time", () => {
    expect(cron("0 2,14 * * *", "2026-10-25T00:00:00Z", "Europe/Berlin")).toBe("2026-10-25T13:00:00.000Z");
    expect(cron("15,45 2 * * *", "2026-03-28T12:00:00Z", "Europe/Berlin")).toBe("2026-03-29T01:00:00.000Z");
  });

  it("is due in every real hour where the hours are a wildcard", () => {
    const times = ["2026-10-24T23:30:00Z"];
    for (let n = 0; n < 3; n++) times.push(cron("30 * * * *", times.at(-1) ?? "", "Europe/Berlin"));
    expect(times.slice(1)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T01:30:00.000Z",
      "2026-10-25T02:30:00.000Z",
    ]);
  });
});
