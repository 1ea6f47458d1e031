/** Time spans and instants as people write them. */

/** An instant, ms since the epoch, or one so long ago. */
export type Moment = { readonly atMs: number } | { readonly agoMs: number };

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `90s`, `1h30m`, `2d` in ms; `undefined` for anything else. */
export function parseSpan(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d|w)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return undefined;
  return parts.reduce((sum, [, count = "0", unit = "ms"]) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0);
}

/** The forms of a moment, for messages. */
export const MOMENT = "a time span such as 90s, 2h or 1d, or an instant such as 2026-05-01T10:00Z";

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** A time span before now, or an instant; without a zone it is in that of this machine. */
export function parseMoment(text: string): Moment | undefined {
  const agoMs = parseSpan(text);
  if (agoMs !== undefined) return { agoMs };
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || !isInMonth(day)) return undefined;
  // JavaScript reads a date alone as UTC.
  const atMs = Date.parse(text === day ? `${text}T00:00` : text.replace(" ", "T"));
  return Number.isNaN(atMs) ? undefined : { atMs };
}

/** False for February 30, which JavaScript takes for March 2. `instantMs` of core knows it too; help does not load core. */
function isInMonth(day: string): boolean {
  const ms = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

export function momentMs(moment: Moment, nowMs: number): number {
  return "atMs" in moment ? moment.atMs : nowMs - moment.agoMs;
}
