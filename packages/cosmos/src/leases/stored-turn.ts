/** A turn whose lock is in the instance document. */
import { later, type RenewOptions } from "@duroxide-ts/core/stores";
import type { StoredTurn } from "../memory/held.ts";
import { extendTurn } from "./extend-turn.ts";
import { giveBackTurn, undoLock } from "./give-back-turn.ts";
import { writeUnder } from "./lease.ts";
import type { TurnActions } from "./turn-actions.ts";
import { TURN_LEASE } from "./turn-lease.ts";

export function storedTurn(turn: StoredTurn): TurnActions {
  return {
    commit: (work, attempt) => writeUnder(TURN_LEASE, work, turn, attempt),
    async renew(work, durationMs, options) {
      if (lasts(turn, later(work.clock.now(), durationMs), options)) return;
      await extendTurn(work, turn, durationMs, options);
    },
    giveBack: (work, options) => giveBackTurn(work, turn, options),
    undo: (work) => undoLock(work, turn),
  };
}

/** A staged commit has extended the lock for longer (commit/staging.ts). A write would only change the ETag. */
function lasts(
  { lockedUntilMs }: StoredTurn,
  untilMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions,
): boolean {
  return lockedUntilMs > untilMs && !ignoreAttempt && !alone;
}
