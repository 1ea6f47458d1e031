/** What `doctor` finds. */
import type { NextStep } from "../output/next-line.ts";

export interface Finding {
  readonly level: "ok" | "warn" | "red";
  /** What is wrong. Further lines are commands of other programs that mend it. */
  readonly text: string;
  /** The command that looks closer, or mends it. */
  readonly next?: NextStep;
}
