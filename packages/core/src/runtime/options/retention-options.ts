/** How long ended instances and old executions are kept. */

import { type Duration, durationMs } from "../../define/duration.ts";
import { ConfigurationError } from "../../errors/duroxide-error.ts";
import { isError } from "../../errors/thrown-value.ts";
import { wholeNumberFault } from "../../options/option-kinds.ts";
import { type OptionList, optionFault, optionList } from "../../options/option-list.ts";

/** The data that a runtime deletes. An absent option deletes nothing. */
export interface RetentionOptions {
  /** How long after their end completed root instances are deleted, with their children. */
  readonly completed?: Duration;
  /** The same for failed instances, including cancelled ones. */
  readonly failed?: Duration;
  /** How many executions of each instance are kept: the current one and those before it. 1 or more. */
  readonly keepExecutions?: number;
  /** 1 hour. The pause between two rounds of deletion. The first round begins within a minute. */
  readonly interval?: Duration;
}

/** The options as numbers. */
export interface Retention {
  readonly rules: readonly RetentionRule[];
  readonly keepExecutions: number | undefined;
  readonly intervalMs: number;
}

/** Selects instances of one status that ended at least this long ago. */
export interface RetentionRule {
  readonly status: "Completed" | "Failed";
  readonly afterMs: number;
}

const OPTIONS: OptionList = optionList<RetentionOptions>({
  completed: true,
  failed: true,
  keepExecutions: true,
  interval: true,
});
const DEFAULT_INTERVAL_MS = 3_600_000;
const SHORTEST_INTERVAL_MS = 1_000;

/** Throws a ConfigurationError for invalid options. */
export function resolveRetention(options: RetentionOptions | undefined): Retention | undefined {
  if (options === undefined) return undefined;
  const { completed, failed, keepExecutions, interval = DEFAULT_INTERVAL_MS } = options;
  refuse(optionFault("retention", options, OPTIONS));
  refuse(wholeNumberFault("retention.keepExecutions", keepExecutions, 1));
  const intervalMs = msOf("interval", interval);
  if (intervalMs < SHORTEST_INTERVAL_MS) refuse("retention.interval must be a second or more");
  const rules: RetentionRule[] = [];
  if (completed !== undefined) rules.push({ status: "Completed", afterMs: msOf("completed", completed) });
  if (failed !== undefined) rules.push({ status: "Failed", afterMs: msOf("failed", failed) });
  return { rules, keepExecutions, intervalMs };
}

function msOf(name: keyof RetentionOptions, duration: Duration): number {
  try {
    return durationMs(duration, `retention.${name}`);
  } catch (error) {
    throw new ConfigurationError(isError(error) ? error.message : String(error));
  }
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new ConfigurationError(fault);
}
