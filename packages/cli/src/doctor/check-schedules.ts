/** The check of schedules: those that cannot start their runs, whose due times pass, or that pause themselves. */
import type { ScheduleInfo } from "@duroxide-ts/core";
import { count, span } from "../text/times.ts";
import type { Check, Finding } from "./finding.ts";

const LATE_MS = 60_000;
const MOST_FINDINGS = 20;

export const checkSchedules: Check = async ({ store: { client }, workers, nowMs }) => {
  const schedules = await client.schedules.list();
  if (schedules.length === 0) return [];
  const known = new Set(workers.flatMap(({ orchestrations }) => orchestrations.map(({ name }) => name)));
  const found = schedules.flatMap((schedule) => fault(schedule, known, nowMs) ?? []).slice(0, MOST_FINDINGS);
  const all =
    schedules.length === 1
      ? "1 schedule starts its runs"
      : `${count(schedules.length)} schedules start their runs`;
  return found.length > 0 ? found : [{ level: "ok", text: all }];
};

/** `known`: the orchestrations of the workers; empty where none reports itself. */
function fault(
  { name, orchestration, paused, lastFailure, lastDueMs = 0, nextDueMs }: ScheduleInfo,
  known: ReadonlySet<string>,
  nowMs: number,
): Finding | undefined {
  const next = ["schedules", "get", name];
  if (lastFailure !== undefined && lastFailure.dueMs >= lastDueMs)
    return { level: "red", text: `schedule "${name}" cannot start its runs: ${lastFailure.message}`, next };
  if (paused !== undefined) {
    const why = paused.reason === undefined ? "" : `: ${paused.reason}`;
    return {
      level: "warn",
      text: `schedule "${name}" is paused for ${span(nowMs - paused.sinceMs)}${why}`,
      next,
    };
  }
  if (known.size > 0 && !known.has(orchestration))
    return { level: "red", text: `schedule "${name}" starts ${orchestration}, and no worker has it`, next };
  if (nextDueMs === undefined || nowMs - nextDueMs < LATE_MS) return undefined;
  const late = `schedule "${name}" was due ${span(nowMs - nextDueMs)} ago, and no process has started its run`;
  return { level: "red", text: late, next };
}
