/** Streams and progress of an instance. */
import type { ProgressOfStep, StreamInfo } from "@duroxide-ts/core";
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
export interface ShownProgress extends Omit<ProgressOfStep, "value"> {
  readonly value: ShownPayload;
}

export interface StreamsView {
  readonly streams: readonly StreamInfo[];
  /** The one whose values are shown; absent where there is none. */
  readonly stream?: string;
  /** The newest ones that count, oldest first. */
  readonly values: readonly ShownValue[];
  /** The latest first. */
  readonly progress: readonly ShownProgress[];
  readonly nowMs: number;
}
