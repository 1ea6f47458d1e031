/** Actions of the holder of a turn. */
import type { RenewOptions } from "@duroxide-ts/core/stores";
import type { TurnLease } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import type { GiveBackOptions } from "./give-back-turn.ts";
import type { Outcome, Settled } from "./lease.ts";

export interface TurnActions {
  /** Tries until the commit is stored or refused. Throws `lock-lost`. */
  commit<T>(work: Work, attempt: (held: TurnLease) => Promise<Outcome<T>>): Promise<Settled<T>>;
  renew(work: Work, durationMs: number, options: RenewOptions): Promise<void>;
  /** Throws `lock-lost` if another fetch has locked the instance. */
  giveBack(work: Work, options: GiveBackOptions): Promise<void>;
  /** Undoes the fetch: for a turn whose fetch has failed or was aborted. */
  undo(work: Work): Promise<void>;
}
