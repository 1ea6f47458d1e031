/** Schedules, as the server describes them to the page. Times are ms since the epoch. */
import type { ScheduleInfo } from "@duroxide-ts/core";
import type { InstanceState, ScheduleState } from "@duroxide-ts/core/operate";

export interface ScheduleRow
  extends Pick<
    ScheduleInfo,
    "name" | "orchestration" | "overlap" | "owner" | "nextDueMs" | "lastDueMs" | "paused" | "lastFailure"
  > {
  readonly state: ScheduleState;
  /** Its due times, such as `0 3 * * * Europe/Berlin`. */
  readonly rule: string;
  readonly queued: number;
  /** A run that no process takes, because none has its code; it is no instance yet. */
  readonly blocked?: { readonly id: string; readonly detail: string };
}

export interface SchedulesView {
  readonly rows: readonly ScheduleRow[];
  readonly nowMs: number;
}

export interface ScheduleRun {
  readonly id: string;
  readonly state: InstanceState;
  readonly createdAtMs: number;
}

/** The next due times of a schedule, and its last runs, newest first. */
export interface ScheduleView {
  readonly next: readonly number[];
  readonly runs: readonly ScheduleRun[];
  readonly requestUnits?: number;
}

/** The due times that a backfill would run. */
export interface DueTimesView {
  readonly times: readonly number[];
  /** More are in the period. */
  readonly isCut: boolean;
}
