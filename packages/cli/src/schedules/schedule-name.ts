/** The name of a schedule on the command line, and its rule in a word. */
import type { ScheduleInfo } from "@duroxide-ts/core";
import { usage } from "../errors/exit-code.ts";
import { span } from "../text/times.ts";

/** Throws a `CommandError` unless there is one name. */
export function scheduleName(verb: string, words: readonly string[]): string {
  const [name, ...more] = words;
  if (name !== undefined && more.length === 0) return name;
  throw usage(`It takes the name of one schedule: duroxide schedules ${verb} <name>`);
}

/** `0 3 * * * Europe/Berlin`, `every 5m00s`, `3 instants`. */
export function ruleOf({ cron, timezone, every, at }: ScheduleInfo): string {
  if (cron !== undefined) return timezone === "UTC" ? cron : `${cron} ${timezone}`;
  if (every !== undefined) return `every ${typeof every === "number" ? span(every) : unitsOf(every)}`;
  return `${at?.length ?? 0} instants`;
}

function unitsOf(every: object): string {
  return Object.entries(every)
    .map(([unit, amount]) => `${amount} ${unit}`)
    .join(" ");
}

/** `paused`, `ended`, `active`. */
export function stateOf({ paused, nextDueMs }: ScheduleInfo): string {
  if (paused !== undefined) return "paused";
  return nextDueMs === undefined ? "ended" : "active";
}
