/** Times of random cron expressions are those of their definition, but for days on which clocks change. */
import { expect, it } from "vitest";
import { IS_DEEP, SEED } from "../../../../test/support/effort.ts";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { cronTimes } from "../../src/define/cron.ts";
import { randomExpression, referenceTimeAfter } from "./cron-reference.ts";

const EXPRESSIONS = IS_DEEP ? 100_000 : 2_000;
const TIMES = 3;
const DAY_MS = 86_400_000;
const FROM_MS = Date.parse("2026-01-01T00:00:00Z");
const ZONES = ["UTC", "UTC", "Asia/Kolkata", "Europe/Berlin", "America/New_York"] as const;

const FORMATS = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }),
  ]),
);
const OFFSETS = new Map<string, number>();

/** Ms from UTC; that of the hour in which the instant is. */
function offsetMs(zone: (typeof ZONES)[number], ms: number): number {
  const hour = Math.floor(ms / 3_600_000);
  const known = OFFSETS.get(`${zone} ${hour}`);
  if (known !== undefined) return known;
  const text = FORMATS.get(zone)?.format(new Date(hour * 3_600_000)) ?? "";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d+):(\d+)/.exec(text) ?? [];
  const found = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  OFFSETS.set(`${zone} ${hour}`, found);
  return found;
}

/** The time by the definition; `unsure` within a day of a change of clocks. */
function expected(
  expression: string,
  zone: (typeof ZONES)[number],
  afterMs: number,
): number | undefined | "unsure" {
  const local = referenceTimeAfter(expression, afterMs + offsetMs(zone, afterMs));
  if (local === undefined) return undefined;
  const ms = local - offsetMs(zone, local);
  const isSure = [ms, afterMs].every(
    (each) => offsetMs(zone, each - DAY_MS) === offsetMs(zone, each + DAY_MS),
  );
  return isSure ? ms : "unsure";
}

it(`${EXPRESSIONS} expressions have the times of their definition`, () => {
  const random = new SeededRandom(SEED);
  let compared = 0;
  for (let n = 0; n < EXPRESSIONS; n++) {
    const cron = randomExpression(random);
    const zone = ZONES[random.below(ZONES.length)] ?? "UTC";
    const next = cronTimes("test", { cron, timezone: zone });
    let afterMs: number | undefined = FROM_MS + Math.floor(random.next() * 3 * 365 * DAY_MS);
    for (let time = 0; time < TIMES && afterMs !== undefined; time++) {
      const wanted = expected(cron, zone, afterMs);
      const found = next(afterMs);
      if (wanted !== "unsure") {
        if (found !== wanted) expect([cron, zone, afterMs, found]).toEqual([cron, zone, afterMs, wanted]);
        compared++;
      }
      afterMs = found;
    }
  }
  expect(compared).toBeGreaterThan(EXPRESSIONS * 2);
});
