/** The overview. What ended is a sample of the instances that changed last, one hour at most. */
import type { State } from "./states.ts";
import type { QueueFigures } from "./work.ts";

/** A figure is absent where the store does not have it. */
export interface Overview {
  readonly running?: number;
  readonly blocked?: number;
  /** `blocked` is the least number. */
  readonly blockedIsMore?: boolean;
  readonly failedToday?: number;
  readonly queues: QueueFigures;
  /** How long the oldest row is due that no process has taken; absent if there is none. */
  readonly oldestDueMs?: number;
  readonly workers?: number;
  readonly deadLetters?: number;
  readonly deadLettersIsMore?: boolean;
  readonly kinds: readonly OrchestrationFigures[];
  readonly minutes: readonly Minute[];
  /** Set if more instances than that changed in the hour: the minutes and the times are those of the last ones. */
  readonly sampleSize?: number;
  readonly attention: readonly Attention[];
  /** At least so many: some of the requests do not say what they cost. */
  readonly requestUnits?: number;
  /** When the figures were read. */
  readonly asOfMs: number;
  readonly tookMs: number;
  readonly nowMs: number;
}

export interface OrchestrationFigures {
  readonly name: string;
  readonly version: string;
  readonly running: number;
  /** Of the sample. */
  readonly completed: number;
  readonly failed: number;
  readonly medianMs?: number;
  readonly p99Ms?: number;
}

export interface Minute {
  readonly atMs: number;
  readonly started: number;
  readonly completed: number;
  readonly failed: number;
}

export interface Attention {
  readonly state: State;
  readonly text: string;
  /** A place of the page. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}
