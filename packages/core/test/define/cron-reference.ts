/** Random cron expressions, and their times by the definition alone: each day is looked at. */
import type { SeededRandom } from "../../../../test/support/seeded-random.ts";

interface Field {
  readonly first: number;
  readonly last: number;
  readonly names?: readonly string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

const MINUTE: Field = { first: 0, last: 59 };
const HOUR: Field = { first: 0, last: 23 };
const DAY: Field = { first: 1, last: 31 };
const MONTH: Field = { first: 1, last: 12, names: MONTHS };
const WEEKDAY: Field = { first: 0, last: 6, names: DAYS };

/** Steps from a wildcard are in minutes and hours only: libraries differ in whether they restrict a day. */
export function randomExpression(random: SeededRandom): string {
  const any = (field: Field, rate: number, stepped = true): string => {
    if (random.next() < rate) return "*";
    return randomField(field, random, stepped);
  };
  const times = [any(MINUTE, 0.2), any(HOUR, 0.3)];
  const days = [any(DAY, 0.6, false), any(MONTH, 0.6, false), any(WEEKDAY, 0.6, false)];
  return [...times, ...days].join(" ");
}

function randomField(field: Field, random: SeededRandom, stepped: boolean): string {
  const between = (first: number, last: number): number => first + random.below(last - first + 1);
  const { first, last } = field;
  const name = (value: number): string =>
    field.names !== undefined && random.next() < 0.3 ? (field.names[value - first] ?? "") : String(value);
  const part = (): string => {
    const from = between(first, last - 1);
    const to = between(from + 1, last);
    switch (random.below(stepped ? 4 : 3)) {
      case 0:
        return name(from);
      case 1:
        return `${name(from)}-${name(to)}`;
      case 2:
        return `${from}-${to}/${between(1, last)}`;
      default:
        return `*/${between(1, last)}`;
    }
  };
  return Array.from({ length: random.next() < 0.7 ? 1 : between(2, 4) }, part).join(",");
}

/** The first time after an instant; both as if the local time were UTC. Undefined within some years. */
export function referenceTimeAfter(expression: string, afterMs: number): number | undefined {
  const [minutes = "", hours = "", days = "", months = "", weekdays = ""] = expression.split(" ");
  const inMinutes = valuesOf(minutes, MINUTE);
  const inHours = valuesOf(hours, HOUR);
  const [inDays, inMonths, inWeekdays] = [
    valuesOf(days, DAY),
    valuesOf(months, MONTH),
    valuesOf(weekdays, WEEKDAY),
  ];
  const isDay = (date: Date): boolean => {
    if (!inMonths.has(date.getUTCMonth() + 1)) return false;
    const [ofMonth, ofWeek] = [inDays.has(date.getUTCDate()), inWeekdays.has(date.getUTCDay())];
    // Where both are given, either counts.
    return days !== "*" && weekdays !== "*" ? ofMonth || ofWeek : ofMonth && ofWeek;
  };
  const firstDayMs = Math.floor(afterMs / DAY_MS) * DAY_MS;
  for (let day = 0; day < MOST_DAYS; day++) {
    const dayMs = firstDayMs + day * DAY_MS;
    if (!isDay(new Date(dayMs))) continue;
    for (const hour of inHours) {
      for (const minute of inMinutes) {
        const ms = dayMs + hour * HOUR_MS + minute * MINUTE_MS;
        if (ms > afterMs) return ms;
      }
    }
  }
  return undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Two leap years, of which one may be missing. */
const MOST_DAYS = 366 * 9;

/** Returns the values in ascending order. */
function valuesOf(text: string, field: Field): ReadonlySet<number> {
  const { first, last, names = [] } = field;
  const numberOf = (each: string): number =>
    names.includes(each) ? names.indexOf(each) + first : Number(each);
  const values = text.split(",").flatMap((part) => {
    const [range = "", step = "1"] = part.split("/");
    const [from, to = from] = range === "*" ? [first, last] : range.split("-").map(numberOf);
    const found: number[] = [];
    for (let value = from ?? first; value <= (to ?? last); value += Number(step)) found.push(value);
    return found;
  });
  return new Set(values.toSorted((a, b) => a - b));
}
