/** Streams and progress of an instance. */
import type { ShownPayload } from "./payload.ts";

/** A value of a stream. */
export interface ShownValue {
  readonly offset: number;
  /** Absent for orchestration code. */
  readonly step?: string;
  readonly attempt: number;
  readonly value: ShownPayload;
}

/** The last report of a step. */
export interface ShownProgress {
  readonly step: string;
  readonly attempt: number;
  readonly atMs: number;
  readonly value: ShownPayload;
}

export interface ShownStream {
  readonly stream: string;
  /** Offset of the oldest value. */
  readonly first: number;
  /** Offset of the next value. */
  readonly next: number;
  readonly closed: boolean;
}

export interface StreamsView {
  readonly streams: readonly ShownStream[];
  /** The one whose values are shown; absent where there is none. */
  readonly stream?: string;
  /** The newest ones that count, oldest first. */
  readonly values: readonly ShownValue[];
  /** The latest first. */
  readonly progress: readonly ShownProgress[];
  readonly nowMs: number;
}
