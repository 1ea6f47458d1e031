/** Formats what a storm prints. */
import type { Recovered } from "./recovery.ts";
import type { StormResult } from "./storm.ts";

/** Enough to see what is wrong. */
const MOST_VIOLATIONS = 50;

export function describeStorm({
  orchestrations,
  killed,
  frozen,
  requests,
  charge = 0,
  pieces = 0,
  faults,
  changes,
  recovered,
  documents,
  failedByRust,
  violations,
}: StormResult): string {
  const percent = (hits: number): string => `${((100 * hits) / requests).toFixed(1)} %`;
  return [
    `${orchestrations} orchestrations, ${killed} processes killed, ${frozen} frozen for a while`,
    `${requests} requests, of which met ${faults.map(({ name, hits }) => `${name} ${percent(hits)}`).join(", ")}`,
    ...(pieces > 0 ? [`${Math.round(charge)} RU, ${pieces} pieces of staged commits`] : []),
    ...(changes.size > 0 ? [[...changes].map(([what, count]) => `${count} ${what}`).join(", ")] : []),
    ...(recovered.length > 0 ? [describeRecovery(recovered)] : []),
    ...(failedByRust.length > 0 ? [`${failedByRust.length} orchestrations that Rust failed:`] : []),
    ...failedByRust.slice(0, MOST_VIOLATIONS).map((failure) => `rust    ${failure}`),
    `${documents} documents, ${violations.length} violations`,
    ...violations.slice(0, MOST_VIOLATIONS).map((violation) => `FAILED  ${violation}`),
  ].join("\n");
}

function describeRecovery(recovered: readonly Recovered[]): string {
  const undisturbed = recovered.filter(({ isDisturbed }) => !isDisturbed);
  const times = [undisturbed, recovered].map((each) => each.map(({ ms }) => ms).toSorted((a, b) => a - b));
  const [own, all] = times.map(
    (sorted) =>
      `${sorted[Math.floor(sorted.length / 2)] ?? "–"} ms (median), ${sorted.at(-1) ?? "–"} ms at most`,
  );
  return `after ${undisturbed.length} splits and merges work was searched for in all new partitions within ${own}; with those during which a process died, ${recovered.length}: ${all}`;
}
