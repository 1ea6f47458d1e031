/** Computes the key-value entries of a program after its steps. */
import type { Step } from "./step.ts";

export type Entries = ReadonlyMap<string, number>;

/** Only steps of the program itself change entries, never branches, so their order is known. */
export function entriesAfter(step: Step, entries: Entries): Entries {
  if (step.do === "write") return new Map(entries).set(step.key, step.value);
  if (step.do === "erase") return new Map([...entries].filter(([key]) => key !== (step.key ?? key)));
  return entries;
}
