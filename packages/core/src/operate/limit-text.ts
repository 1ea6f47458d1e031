/** Rules of limits as people read them: the command line, the dashboard and tools of agents show the same text. */
import type { LimitRule } from "../contract/limits.ts";
import { durationMs } from "../define/duration.ts";

/** `5 at a time, 10 each 1 s, 3 at once`; `3 at a time for each key` for `openai/*`; `no limit` for an empty rule. */
export function limitText(key: string, { concurrency, rate }: LimitRule): string {
  const parts = [
    ...(concurrency === undefined ? [] : [`${concurrency} at a time`]),
    ...(rate === undefined ? [] : [`${rate.max} each ${spanText(durationMs(rate.per))}`]),
    ...(rate?.burst === undefined || rate.burst === 1 ? [] : [`${rate.burst} at once`]),
  ];
  const text = parts.length === 0 ? "no limit" : parts.join(", ");
  return key.endsWith("/*") ? `${text} for each key` : text;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

function spanText(ms: number): string {
  const [unit, size] = UNITS.find(([, unitMs]) => ms % unitMs === 0) ?? ["ms", 1];
  return `${ms / size} ${unit}`;
}
