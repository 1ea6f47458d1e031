/** The options and results of the calls of `client.schedules`. */
import type { ByHand } from "../verbs/verb-options.ts";

/** The options of `apply`. */
export interface ApplyOptions extends ByHand {
  /** False. Whether schedules that the same owner applied before, and that are not in the list, are deleted. */
  readonly prune?: boolean;
  /** The owner of schedules that name none; `"default"` by default. */
  readonly owner?: string;
}

/** The options of `trigger`. */
export interface TriggerOptions extends ByHand {
  /** The input of the run in place of that of the schedule. */
  readonly input?: unknown;
}

/** The period of a backfill: dates, or ms since the epoch. Its bounds belong to it. */
export interface BackfillOptions extends ByHand {
  readonly from: Date | number;
  readonly to: Date | number;
}

/** The page of a list of runs. */
export interface RunsOptions {
  /** Runs a page; 100 by default, 1000 at most. */
  readonly limit?: number;
  /** Continuation of the previous page. */
  readonly continuation?: string;
}

/** The names of the schedules that `apply` has changed. */
export interface ApplyResult {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
  /** A newer definition is stored. */
  readonly outdated: readonly string[];
}
