import { expect, it } from "vitest";
import type { ScheduleInfo } from "../../src/index.ts";
import { scheduleRule } from "../../src/operate/index.ts";

const ruleOf = (info: Partial<ScheduleInfo>): string => scheduleRule(info as ScheduleInfo);

it("a schedule is told as one says it", () => {
  expect(ruleOf({ cron: "0 3 * * *", timezone: "UTC" })).toBe("0 3 * * *");
  expect(ruleOf({ cron: "0 3 * * *", timezone: "Europe/Berlin" })).toBe("0 3 * * * Europe/Berlin");
  expect(ruleOf({ every: { seconds: 1 } })).toBe("every second");
  expect(ruleOf({ every: { minutes: 5 } })).toBe("every 5 minutes");
  expect(ruleOf({ every: { hours: 1, minutes: 30 } })).toBe("every 1 hour 30 minutes");
  expect(ruleOf({ every: { hours: 21 } })).toBe("every 21 hours");
  expect(ruleOf({ every: 1_500 })).toBe("every 1500 ms");
  expect(ruleOf({ at: [1] })).toBe("1 instant");
});
