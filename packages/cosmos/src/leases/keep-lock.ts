/** The instance document with the lock of a lease that goes on until a later time. */
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import type { Notes } from "../documents/instance.ts";
import type { TakenRow, TurnLease } from "../memory/held.ts";

export interface Kept {
  readonly lockedUntilMs: number;
  /** The messages of the turn, with their attempts. */
  readonly rows: readonly TakenRow[];
  readonly notes: Notes;
}

/** Also the first write of a lock that was in memory only. */
export function keptLock(
  { instance, secret }: Pick<TurnLease, "instance" | "secret">,
  { lockedUntilMs, rows, notes }: Kept,
): Body {
  const taken = Object.fromEntries(rows.map(({ id, attempts }) => [id, attempts]));
  return {
    ...toBody(instance.document),
    lockToken: secret,
    lockedUntil: lockedUntilMs,
    [NOTES_FIELD]: { ...notes, taken },
  };
}
