/** The result of a stress run, and a table of several results. */

export interface StressResult {
  readonly scenario: string;
  readonly provider: string;
  readonly configuration: string;
  readonly launched: number;
  readonly completed: number;
  readonly failed: number;
  /** The failures by category. Poison counts as infrastructure. */
  readonly failures: Readonly<Record<FailureCategory, number>>;
  /** 0 to 1. */
  readonly successRate: number;
  readonly totalMs: number;
  readonly orchestrationsPerSecond: number;
  readonly activitiesPerSecond: number;
  /** Total time for each completed orchestration. */
  readonly msPerOrchestration: number;
  /** Activities that were run more than once, which is allowed: their lock had expired, or a worker gave up. */
  readonly repeatedActivities: number;
  /** Violated invariants: lost, duplicated, wrong or left-over rows. Empty for a correct store. */
  readonly violations: readonly string[];
}

/** Why an instance of a stress run did not complete. */
export type FailureCategory =
  | "infrastructure"
  | "configuration"
  | "application"
  /** The start was rejected. */
  | "notStarted"
  /** It did not end in time. */
  | "timedOut"
  /** It returned a wrong output. */
  | "wrongOutput";

/** A table with one line for each run. */
export function compareResults(results: readonly StressResult[]): string {
  const rows = results.map((result) => [
    result.provider,
    result.scenario,
    result.configuration,
    String(result.completed),
    `${(100 * result.successRate).toFixed(1)} %`,
    String(result.failures.infrastructure),
    result.orchestrationsPerSecond.toFixed(1),
    result.activitiesPerSecond.toFixed(1),
    result.msPerOrchestration.toFixed(1),
    result.violations.length === 0 ? "none" : String(result.violations.length),
  ]);
  return table([HEADINGS, ...rows]);
}

const HEADINGS = [
  "provider",
  "scenario",
  "configuration",
  "completed",
  "success",
  "infra failures",
  "orch/s",
  "act/s",
  "ms/orch",
  "violations",
];

function table(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return rows.map(line).join("\n");
}

/** One run in full. */
export function describeResult(result: StressResult): string {
  const { launched, completed, failures, totalMs, repeatedActivities, violations } = result;
  const reasons = Object.entries(failures).filter(([, count]) => count > 0);
  const failed = reasons.map(([category, count]) => `${count} ${category}`).join(", ");
  return [
    `${result.provider}, ${result.scenario}: ${result.configuration}`,
    `  ${completed} of ${launched} completed (${(100 * result.successRate).toFixed(2)} %) in ${(totalMs / 1_000).toFixed(1)} s`,
    `  failed: ${failed === "" ? "none" : failed}`,
    `  ${result.orchestrationsPerSecond.toFixed(2)} orchestrations/s, ${result.activitiesPerSecond.toFixed(2)} activities/s, ${result.msPerOrchestration.toFixed(2)} ms per orchestration`,
    `  activities that were run again: ${repeatedActivities}`,
    `  invariants: ${violations.length === 0 ? "hold" : `${violations.length} violations`}`,
    ...violations.map((violation) => `    ${violation}`),
  ].join("\n");
}
