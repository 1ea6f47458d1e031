/** Formats what a soak prints at its end: violations with their evidence, and a table. */
import { MOST_DEATHS } from "../checks/deaths.ts";
import { PROMISES, type PromiseName } from "../checks/violation.ts";
import type { SoakResult } from "./result.ts";

/** Number of violations of each promise that are shown; the rest is counted. */
const MOST_VIOLATIONS = 12;

export function describeSoak(result: SoakResult): string {
  return [...describeViolations(result), ...describeCounts(result)].join("\n");
}

function describeViolations({ options, violations, folder }: SoakResult): readonly string[] {
  if (violations.length === 0) return [];
  const groups = Map.groupBy(violations, ({ promise }) => promise);
  return [
    ...[...groups].flatMap(([promise, all]) => [
      `BROKEN (${options.store}, seed ${options.seed}), ${all.length} times: ${PROMISES[promise]}`,
      ...all.slice(0, MOST_VIOLATIONS).map(({ evidence }) => `  ${evidence.replaceAll("\n", "\n    ")}`),
      ...(all.length > MOST_VIOLATIONS ? [`  … and ${all.length - MOST_VIOLATIONS} more`] : []),
    ]),
    `Side logs and warnings of the processes: ${folder}`,
  ];
}

function describeCounts(result: SoakResult): readonly string[] {
  const { options, violations, runs, activities, deaths, freezes, killings, faults } = result;
  const kills = deaths.filter(({ wasKilled }) => wasKilled).length;
  const killed = [...killings.values()];
  const broken = (Object.keys(PROMISES) as PromiseName[]).map((promise) => {
    return `${promise} ${violations.filter((each) => each.promise === promise).length}`;
  });
  return table([
    ["store, seed", `${options.store}, ${options.seed}`],
    ...(["innocent", "deployment", "hostile"] as const).map(
      (group) => [group, standing(result, group)] as const,
    ),
    ["innocent activities", `${activities}, runs ${runs}`],
    ["processes ended", `${kills} by the soak, ${deaths.length - kills} otherwise; frozen ${freezes} times`],
    [
      "killers",
      `${killed.length} ended ${killed.join(", ") || 0} processes (at most ${MOST_DEATHS.activity} by an activity, ${MOST_DEATHS.turn} by a turn)`,
    ],
    ["faults of the store", [...faults].map(([name, count]) => `${name} ${count}`).join(", ") || "none"],
    ["careless deployments", String(result.deployments)],
    ["settled after", `${(result.settledMs / 1_000).toFixed(1)} s`],
    ["violations", broken.join(", ")],
  ]);
}

function standing({ instances }: SoakResult, group: string): string {
  const all = instances.filter(({ plan }) => plan.group === group);
  const count = (status: string | undefined): number =>
    all.filter(({ end }) => end?.status === status).length;
  return `${all.length}: ${count("Completed")} completed, ${count("Failed")} failed, ${count(undefined)} open`;
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
