/** Something that a soak promises and that did not hold. */

export const PROMISES = {
  endings: "innocent instances, and those that a deployment met, end with their result",
  runs: "an innocent activity runs again only after a death, or a freeze beyond its lock, of the process that ran it",
  hostile: "hostile instances end as they may, and a killer ends a limited number of processes",
  deaths: "no process ends but by the soak or by a killer",
  histories: "histories of innocent instances are contiguous, end once and answer each schedule once",
} as const;

export type PromiseName = keyof typeof PROMISES;

export interface Violation {
  readonly promise: PromiseName;
  /** Description of what was seen, and where. */
  readonly evidence: string;
}

export function violationsOf(promise: PromiseName, evidence: readonly string[]): readonly Violation[] {
  return evidence.map((each) => ({ promise, evidence: each }));
}
