/** Columns of an instance that operations read. */

/** The instance that schedules an activity, as columns. */
export interface Requester {
  readonly instance_key: number;
  readonly orchestration_name: string | null;
  readonly orchestration_version: string | null;
}

/** An instance whose turn is committed. */
export interface LockedInstance extends Requester {
  readonly instance_id: string;
  /** 0 before the first acknowledgement. */
  readonly execution_id: number;
  /** The highest event id of the current execution. */
  readonly last_event_id: number;
  readonly status: string;
  readonly completed_at: number | null;
  readonly pinned_version: string;
  readonly kv_layers: number;
  /** Time of its release as blocked, if it has not made progress since. */
  readonly blocked_since: number | null;
}
