/** The findings of a run, as a table and as JSON. */

import { evidenceText } from "./rows.ts";
import type { Outcome } from "./runner.ts";
import { CHECKS } from "./suite.ts";

export interface GroupCount {
  readonly group: string;
  readonly passed: number;
  /** Number of checks without those that do not apply to the endpoint. */
  readonly total: number;
}

/** One entry for each group in the order of the suite, and the sum as the last. */
export function countByGroup(outcomes: readonly Outcome[]): readonly GroupCount[] {
  const groups = [...new Set(outcomes.map(({ group }) => group))];
  const count = (group: string, some: readonly Outcome[]): GroupCount => {
    const applicable = some.filter(({ notApplicable }) => notApplicable === undefined);
    const passed = applicable.filter(({ failure }) => failure === undefined);
    return { group, passed: passed.length, total: applicable.length };
  };
  const each = groups.map((group) =>
    count(
      group,
      outcomes.filter((outcome) => outcome.group === group),
    ),
  );
  return [...each, count("all", outcomes)];
}

/** The table, and below it every check that failed with its evidence and what came, and those that do not apply. */
export function tableOf(label: string, outcomes: readonly Outcome[]): string {
  const rows = countByGroup(outcomes).map(
    ({ group, passed, total }) => `| ${group} | ${passed} / ${total} |`,
  );
  const failures = outcomes
    .filter(({ failure }) => failure !== undefined)
    .map((outcome) => `${outcome.group}: ${outcome.name}\n  ${evidenceOf(outcome)}\n  ${outcome.failure}`);
  const others = outcomes.flatMap(({ group, name, notApplicable }) =>
    notApplicable === undefined ? [] : [`not applicable: ${group}: ${name}: ${notApplicable}`],
  );
  return [`| | ${label} |`, "|---|---|", ...rows, "", ...failures, ...others].join("\n");
}

function evidenceOf({ group, name }: Outcome): string {
  const check = CHECKS.find((it) => it.group === group && it.name === name);
  return (check?.evidence ?? []).map(evidenceText).join(", ");
}
