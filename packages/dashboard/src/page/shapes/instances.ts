/** The list of instances, its actions, and what they report. */
import type { Wait } from "@duroxide-ts/core";
import type { InstanceState, OperatorVerb, RunningState } from "@duroxide-ts/core/operate";
import type { ListFilter } from "./filter.ts";

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

/** An open call. `attempt` and `maxAttempts` are set from the second attempt on. */
export interface WaitView
  extends Pick<Wait, "kind" | "label" | "dueAtMs" | "attempt" | "maxAttempts" | "nextRetryAtMs"> {
  /** The id of a child. Absent for a timer. */
  readonly name?: string;
  readonly lastError?: string;
}

export interface MatchCount {
  readonly count: number;
}

/** An action on many instances: on these ids, or on all that match. */
export interface BulkRequest {
  readonly verb: OperatorVerb;
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
