/** The due times of schedules. The instants that count are handed in: nothing here reads a clock. */
import { createHash } from "node:crypto";
import { BoundedMap } from "../collections/bounded-map.ts";
import { cronTimes, type NextTime } from "../define/cron.ts";
import { durationMs } from "../define/duration.ts";
import { LAST_MS } from "../define/schedule.ts";
import type { StoredDefinition } from "./stored-schedule.ts";

type Times = Pick<StoredDefinition, "cron" | "timezone" | "every" | "offset" | "at">;

/** Expressions whose reading is remembered. */
const MOST_EXPRESSIONS = 1_000;
const EXPRESSIONS = new BoundedMap<string, NextTime>(MOST_EXPRESSIONS);

/** Finds the first due time after an instant. */
export function dueTimes({ cron, timezone, every, offset = 0, at }: Times): NextTime {
  if (cron !== undefined) return cronExpression(cron, timezone);
  if (every !== undefined) {
    const period = durationMs(every);
    const shift = durationMs(offset) % period;
    return (afterMs) => {
      const due = (Math.floor((afterMs - shift) / period) + 1) * period + shift;
      return due <= LAST_MS ? due : undefined;
    };
  }
  return (afterMs) => at?.find((instant) => instant > afterMs);
}

function cronExpression(cron: string, timezone = "UTC"): NextTime {
  const key = `${timezone} ${cron}`;
  const known = EXPRESSIONS.get(key);
  if (known !== undefined) return known;
  const next = remembering(cronTimes("schedule", { cron, timezone }));
  EXPRESSIONS.set(key, next);
  return next;
}

/** Remembers the last answer, which holds for all instants up to it: a turn asks several times. */
function remembering(next: NextTime): NextTime {
  let fromMs = 0;
  let due: number | undefined;
  return (afterMs) => {
    if (due !== undefined && afterMs >= fromMs && afterMs < due) return due;
    fromMs = afterMs;
    due = next(afterMs);
    return due;
  };
}

/** The last due time after `afterMs` and not after `toMs`. */
export function lastDueTime(next: NextTime, afterMs: number, toMs: number): number | undefined {
  for (let spanMs = 60_000; ; spanMs *= 8) {
    const fromMs = Math.max(afterMs, toMs - spanMs);
    let last: number | undefined;
    for (let due = next(fromMs); due !== undefined && due <= toMs; due = next(due)) last = due;
    if (last !== undefined || fromMs === afterMs) return last;
  }
}

/** Ms by which a run begins after its due time: the same in every process. */
export function jitterOf(name: string, dueMs: number, jitter: StoredDefinition["jitter"]): number {
  const most = jitter === undefined ? 0 : durationMs(jitter);
  if (most === 0) return 0;
  const digest = createHash("sha256").update(`${dueMs} ${name}`).digest();
  return digest.readUIntBE(0, 6) % most;
}

/** The id of the run of a due time. */
export function runIdOf(name: string, dueMs: number, withMs = false): string {
  const text = new Date(dueMs).toISOString();
  return `${name}@${withMs ? text : `${text.slice(0, -".000Z".length)}Z`}`;
}
