/** The overview. What ended is a sample of the instances that changed last, one hour at most. */
import type { State } from "./states.ts";

/** A number of something. */
export interface Figure {
  readonly count: number;
  /** The store has more than that: `count` is what one page has. */
  readonly isMore?: boolean;
}

/** A figure is absent where the store does not have it. */
export interface Overview {
  readonly running?: Figure;
  readonly blocked?: Figure;
  readonly failedToday?: Figure;
  /** Rows of both queues that are visible and not locked. */
  readonly ready: Figure;
  /** The store charges by request, so nothing was counted: `CountedFigures` are read on request. */
  readonly isPaged?: boolean;
  /** How long the oldest row is due that no process has taken; absent if there is none. */
  readonly oldestDueMs?: number;
  readonly workers?: number;
  readonly deadLetters?: Figure;
  readonly kinds: readonly OrchestrationFigures[];
  readonly minutes: readonly Minute[];
  /** Set if more instances than that changed in the hour: the minutes and the times are those of the last ones. */
  readonly sampleSize?: number;
  readonly attention: readonly Attention[];
  /** At least so many: some of the requests do not say what they cost. */
  readonly requestUnits?: number;
  /** Time at which the figures were read. */
  readonly asOfMs: number;
  /** Time until which the server answers with the same figures; only where they cost. */
  readonly keptUntilMs?: number;
  readonly tookMs: number;
  readonly nowMs: number;
}

/** Results of a count of the store. */
export interface CountedFigures {
  readonly running: Figure;
  readonly failedToday: Figure;
  readonly kinds: readonly RunningKind[];
  readonly requestUnits?: number;
  readonly asOfMs: number;
  readonly tookMs: number;
  readonly nowMs: number;
}

/** The instances of an orchestration that run. */
export interface RunningKind {
  readonly name: string;
  readonly version: string;
  readonly running: number;
}

export interface OrchestrationFigures extends RunningKind {
  /** Number of completed instances in the sample. */
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
