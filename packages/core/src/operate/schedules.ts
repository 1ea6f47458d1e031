/** Schedules in the words of operators. */
import type { ScheduleInfo } from "../client/schedules/schedule-info.ts";

/** The state of a schedule: one that has no due time to come has ended. */
export type ScheduleState = "active" | "paused" | "ended";

/** The word for what the schedule does now. */
export function scheduleState({ paused, nextDueMs }: ScheduleInfo): ScheduleState {
  if (paused !== undefined) return "paused";
  return nextDueMs === undefined ? "ended" : "active";
}

/** The due times as a text: `0 3 * * * Europe/Berlin`, `every 5 minutes`, `every second`, `3 instants`. */
export function scheduleRule({ cron, timezone, every, at = [] }: ScheduleInfo): string {
  if (cron !== undefined) return timezone === "UTC" ? cron : `${cron} ${timezone}`;
  if (every === undefined) return at.length === 1 ? "1 instant" : `${at.length} instants`;
  const units = Object.entries(typeof every === "number" ? { ms: every } : every);
  const amounts = units.map(([unit, amount]) =>
    amount === 1 ? `1 ${unit.slice(0, -1)}` : `${amount} ${unit}`,
  );
  return `every ${units.length === 1 ? amounts.join().replace(/^1 /, "") : amounts.join(" ")}`;
}

/**
 * The due times of a period, its bounds included: at most so many, ms since the epoch. What reads expressions is loaded
 * here, because lists of instances do not need it.
 */
export async function dueTimesBetween(
  schedule: ScheduleInfo,
  fromMs: number,
  toMs: number,
  most: number,
): Promise<readonly number[]> {
  const { dueTimes } = await import("../schedules/due-times.ts");
  const next = dueTimes(schedule);
  const found: number[] = [];
  for (let due = next(fromMs - 1); due !== undefined && due <= toMs && found.length < most; due = next(due))
    found.push(due);
  return found;
}
