/** The list of instances, its actions, and what they report. */
import type { ListFilter } from "./filter.ts";
import type { Verb } from "./session.ts";
import type { InstanceState, RunningState } from "./states.ts";

export interface InstanceRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly state: InstanceState;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly executionId: number;
  readonly parentId?: string;
  /** Each as a condition that finds the instances that have it. */
  readonly tags?: readonly string[];
  /** Time at which the code begins, while that is to come. */
  readonly startsAtMs?: number;
  /** The message of the failure, or the reason of a block or a suspension. */
  readonly note?: string;
}

export interface InstancesPage {
  readonly rows: readonly InstanceRow[];
  readonly continuation?: string;
  readonly tookMs: number;
  readonly requestUnits?: number;
  readonly nowMs: number;
}

/** Instances of which `waits` answers in one request: each is a read of a history. */
export const MOST_WAITS = 10;

/** Waits of instances of the list. */
export interface WaitsView {
  readonly rows: readonly RowWaits[];
  readonly requestUnits?: number;
  readonly nowMs: number;
}

/** Waits of one instance. */
export interface RowWaits {
  readonly id: string;
  /** Absent where the instance is not there any more. */
  readonly state?: RunningState;
  /** Its custom status, in one line. */
  readonly status?: string;
  /** The first ones. */
  readonly waits: readonly WaitView[];
  /** How many are left out. */
  readonly others: number;
}

/** An open call. */
export interface WaitView {
  readonly kind: "activity" | "timer" | "child" | "event" | "queue" | "system";
  /** The id of a child. Absent for a timer. */
  readonly name?: string;
  readonly label?: string;
  readonly dueAtMs?: number;
  /** Set from the second on: the current one, or the one after the pause. */
  readonly attempt?: number;
  readonly maxAttempts?: number;
  /** Set during a pause. */
  readonly nextRetryAtMs?: number;
  readonly lastError?: string;
}

export interface MatchCount {
  readonly count: number;
}

/** An action on many instances: on these ids, or on all that match. */
export interface BulkRequest {
  readonly verb: Verb;
  readonly reason: string;
  /** Whether a deletion also takes instances that run. */
  readonly force?: boolean;
  readonly ids?: readonly string[];
  readonly filter?: ListFilter;
  /** Goes on behind this place; from the progress of an action that ended early. */
  readonly after?: string;
}

/** One line of the answer. The last one has `done`. */
export interface BulkProgress {
  readonly succeeded: number;
  readonly failed: number;
  /** The number that matched at the beginning; absent while it is not known. */
  readonly total?: number;
  /** Position at which to go on after an abort. */
  readonly after?: string;
  /** Instances that were refused since the last line, with the reason. */
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  readonly done: boolean;
}
