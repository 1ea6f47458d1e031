/** The hint of the next step behind an answer. Only what is safe to paste into a shell is hinted. */
import { shellWord } from "../text/safe-text.ts";

/** A command line without `duroxide`: words, of which any may be missing. */
export type NextStep = readonly (string | undefined)[];

/** `Next: duroxide show order-1 | duroxide history order-1`; empty if no step can be pasted. */
export function nextLine(steps: readonly NextStep[]): string {
  const lines = steps.flatMap((step) => {
    const words = step.map((word) => (word === undefined ? undefined : shellWord(word)));
    return words.includes(undefined) ? [] : [`duroxide ${words.join(" ")}`];
  });
  return lines.length === 0 ? "" : `Next: ${lines.join(" | ")}`;
}
