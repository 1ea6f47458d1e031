/** Limits, as the server describes them to the page. Times are ms since the epoch. */
import type { LimitSummary } from "@duroxide-ts/core";

export interface LimitRow extends Omit<LimitSummary, "limits"> {
  /** Its rule, such as `5 at a time, 10 each 1 s`. */
  readonly rule: string;
  readonly concurrency?: number;
  readonly rate?: { readonly max: number; readonly perMs: number; readonly burst?: number };
  /** How long the oldest work under the key has waited, ms; 0 if none waits. */
  readonly oldestWaitingMs: number;
}

export interface LimitsView {
  /** Begins with the key whose work has waited longest. */
  readonly rows: readonly LimitRow[];
  /** Whether the store has limits. */
  readonly isSupported: boolean;
}
