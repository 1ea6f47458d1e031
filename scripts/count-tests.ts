/** Counts the tests in vitest's JSON report. */
import { existsSync, readFileSync, rmSync } from "node:fs";

export interface Count {
  readonly passed: number;
  readonly failed: number;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/**
 * Counts passed and failed tests. A file that could not be loaded counts as one failure, and so does a run that ended
 * badly for a reason that no test shows (an unhandled rejection, no test found, a crash).
 */
export function countTests(reportFile: string, exitedWell: boolean): Count {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  // Consumed, so that a later run that crashes early is not counted by this report.
  rmSync(reportFile);
  const unloaded = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  if (report.numPendingTests > 0) console.log(`${report.numPendingTests} tests were skipped.`);
  const failed = report.numFailedTests + unloaded.length;
  return { passed: report.numPassedTests, failed: failed === 0 && !exitedWell ? 1 : failed };
}
