/** What a storm prints. */
import type { StormResult } from "./storm.ts";

/** Enough to see what is wrong. */
const MOST_VIOLATIONS = 50;

export function describeStorm({
  orchestrations,
  killed,
  frozen,
  requests,
  faults,
  changes,
  documents,
  violations,
}: StormResult): string {
  const percent = (hits: number): string => `${((100 * hits) / requests).toFixed(1)} %`;
  return [
    `${orchestrations} orchestrations, ${killed} processes killed, ${frozen} frozen for a while`,
    `${requests} requests, of which met ${faults.map(({ name, hits }) => `${name} ${percent(hits)}`).join(", ")}`,
    ...(changes.size > 0 ? [[...changes].map(([what, count]) => `${count} ${what}`).join(", ")] : []),
    `${documents} documents, ${violations.length} violations`,
    ...violations.slice(0, MOST_VIOLATIONS).map((violation) => `FAILED  ${violation}`),
  ].join("\n");
}
