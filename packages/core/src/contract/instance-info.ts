/** An instance as stores describe it, for administration and queries. */
import type { Tags } from "../wire/tags.ts";
import type { ListedStatus } from "./listed-status.ts";

/** An instance with its current execution. Times are ms since the epoch. */
export interface InstanceInfo {
  readonly instanceId: string;
  readonly orchestrationName: string;
  /** `"unknown"` until known. */
  readonly orchestrationVersion: string;
  readonly currentExecutionId: number;
  readonly status: ListedStatus;
  readonly output: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly parentInstanceId?: string;
  /** Time before which its code does not begin, of a start with `after`; also when that is past. */
  readonly startsAtMs?: number;
  /** Key of the limit that holds its code back; absent where nothing does. */
  readonly limit?: string;
  /** The tags, as they were set; absent if there are none. */
  readonly tags?: Tags;
  /** Set while the instance is suspended. */
  readonly suspended?: Suspended;
}

/** An operator has suspended the instance: no turn of it runs until it is resumed. */
export interface Suspended {
  readonly sinceMs: number;
  readonly reason: string;
  /** The operator, if the caller named one. */
  readonly by?: string;
}
