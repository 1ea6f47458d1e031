/** The type of a check. */
import type { RowId } from "./rows.ts";
import type { Target } from "./target.ts";

export interface Check {
  readonly group: string;
  /** Behaviour of the endpoint, as a sentence. */
  readonly name: string;
  /** The rows of the reference that say so. */
  readonly evidence: readonly RowId[];
  /** Throws where the endpoint does otherwise. */
  run(target: Target): Promise<void>;
}

/** Thrown by a check that says nothing about this endpoint: it counts neither as passed nor as failed. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** Checks of throughput, which a serverless account does not have. */
export function needingThroughput(checks: readonly Check[]): readonly Check[] {
  return checks.map((check) => ({
    ...check,
    async run(target) {
      if (!target.hasThroughput) throw new NotApplicable("the account is serverless");
      await check.run(target);
    },
  }));
}

/** The checks of one group. */
export function inGroup(group: string, checks: readonly Omit<Check, "group">[]): readonly Check[] {
  return checks.map((check) => ({ group, name: check.name, evidence: check.evidence, run: check.run }));
}
