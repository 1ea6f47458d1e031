/** Progress of running activities: the last report of each call, which the next delivery of the call reads. */
import type { StreamWriter } from "./streams.ts";

/** A report of a running activity; it takes the place of the last one of its call. */
export interface ProgressReport {
  readonly instanceId: string;
  readonly executionId: number;
  /** Text as the codec wrote it. */
  readonly value: string;
  readonly writer: Omit<StreamWriter, "written">;
}

/** The last report of a call. */
export interface StoredProgress {
  /** A text that only this call of the instance has. */
  readonly call: string;
  /** Name of the activity. */
  readonly name: string;
  /** Number of the delivery that has reported, from 1. */
  readonly attempt: number;
  readonly value: string;
  /** Ms since the epoch, by the clock of the store. */
  readonly atMs: number;
}
