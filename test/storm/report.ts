/** Report of a storm or a soak: violations of its promises, and a table of facts. */
import type { Processes } from "./processes.ts";

export interface Report {
  readonly facts: Readonly<Record<string, string | number>>;
  /** Violations of each promise, none where it was kept. */
  readonly broken: Readonly<Record<string, readonly string[]>>;
}

/** Number of violations of each promise that are shown; the rest is counted. */
const MOST_VIOLATIONS = 50;

export function violationsOf({ broken }: Report): readonly string[] {
  return Object.values(broken).flat();
}

export function describeReport(report: Report): string {
  const groups = Object.entries(report.broken).filter(([, violations]) => violations.length > 0);
  const rows = Object.entries({ ...report.facts, violations: violationsOf(report).length });
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...groups.flatMap(([promise, violations]) => [
      `BROKEN, ${violations.length} times: ${promise}`,
      ...violations.slice(0, MOST_VIOLATIONS).map((each) => `  ${each.replaceAll("\n", "\n    ")}`),
    ]),
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
  ].join("\n");
}

export function endingsOf({ deaths, freezes }: Processes): string {
  const kills = deaths.filter(({ wasKilled }) => wasKilled).length;
  return `${kills} killed, ${deaths.length - kills} ended otherwise; frozen ${freezes.length} times`;
}
