import type { ActivityRow } from "../schema/rows.ts";
import type { Lock } from "../store/held.ts";

/** An activity that is locked. */
export interface HeldActivity extends Lock {
  /** As the lock wrote it. */
  readonly row: ActivityRow;
}
