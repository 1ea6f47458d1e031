/** The list of instances, its actions, and what they report. */
import type { ListFilter } from "./filter.ts";
import type { Verb } from "./session.ts";
import type { InstanceState } from "./states.ts";

export interface InstanceRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly state: InstanceState;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly executionId: number;
  readonly parentId?: string;
  /** The message of the failure, or the reason of a block or a suspension. */
  readonly note?: string;
}

export interface InstancesPage {
  readonly rows: readonly InstanceRow[];
  readonly continuation?: string;
  /** Conditions that this store cannot apply; the rows do not regard them. */
  readonly ignored: readonly string[];
  readonly tookMs: number;
  readonly requestUnits?: number;
  readonly nowMs: number;
}

export interface MatchCount {
  readonly count: number;
}

/** An action on many instances: on these ids, or on all that match. */
export interface BulkRequest {
  readonly verb: Verb;
  readonly reason: string;
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
  /** Where to go on after an abort. */
  readonly after?: string;
  /** Instances that were refused since the last line, with the reason. */
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  readonly done: boolean;
}
