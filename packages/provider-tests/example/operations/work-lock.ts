/** What the holder of an activity may do with it: complete it, keep it longer, or give it back (§10). */
import { type AbandonOptions, type ActivityOutcome, ProviderError } from "@duroxide-ts/core";
import { checkLockToken } from "@duroxide-ts/core/stores";
import { invalidInput, requireDurations } from "../input.ts";
import {
  isValid,
  type Lock,
  type Moment,
  type OrchestratorRow,
  type Tables,
  type WorkerRow,
} from "../tables.ts";
import { orchestratorRow } from "./enqueue.ts";
import { touchSession } from "./sessions.ts";

interface LockedRow {
  readonly row: WorkerRow;
  readonly lock: Lock;
}

/** The activity goes and its outcome comes, in one step; without an outcome it goes silently. */
export function ackWorkItem(moment: Moment, token: string, outcome: ActivityOutcome | undefined): void {
  const { row } = validRow(moment, "ackWorkItem", token);
  const message = outcome && outcomeRow(outcome, moment.nowMs);
  moment.tables.workerQueue.delete(row);
  if (message !== undefined) moment.tables.orchestratorQueue.add(message);
  touchSession(moment, row.sessionId);
}

export function renewWorkItemLock(moment: Moment, token: string, extendMs: number): void {
  requireDurations("renewWorkItemLock", { extendMs });
  const { row, lock } = validRow(moment, "renewWorkItemLock", token);
  lock.untilMs = Math.max(lock.untilMs, moment.nowMs + extendMs);
  touchSession(moment, row.sessionId);
}

/** An expired lock may be given back as long as nobody else took it. */
export function abandonWorkItem(
  { tables, nowMs }: Moment,
  token: string,
  { delayMs = 0, ignoreAttempt = false }: AbandonOptions = {},
): void {
  requireDurations("abandonWorkItem", { delayMs });
  const { row } = rowOf(tables, "abandonWorkItem", token);
  row.lock = undefined;
  row.visibleAtMs = nowMs + delayMs;
  if (ignoreAttempt) row.attempts = Math.max(0, row.attempts - 1);
}

function outcomeRow(outcome: ActivityOutcome, nowMs: number): OrchestratorRow {
  const isOutcome = outcome.kind === "ActivityCompleted" || outcome.kind === "ActivityFailed";
  if (!isOutcome)
    throw invalidInput("ackWorkItem", "an activity ends in ActivityCompleted or ActivityFailed");
  return orchestratorRow("ackWorkItem", outcome, nowMs);
}

function validRow({ tables, nowMs }: Moment, operation: string, token: string): LockedRow {
  const locked = rowOf(tables, operation, token);
  if (!isValid(locked.lock, nowMs)) throw ProviderError.lockLost(operation);
  return locked;
}

function rowOf({ workerQueue }: Tables, operation: string, token: string): LockedRow {
  checkLockToken(operation, token);
  for (const row of workerQueue) if (row.lock?.token === token) return { row, lock: row.lock };
  throw ProviderError.lockLost(operation);
}
