/**
 * Turns whose lock this process keeps in memory only (docs/decisions/cosmos-turns.md).
 *
 * - remembered-turn.U1: The commit, the renewal and the return of such a turn name the ETag under which the instance
 *   stood. A lock or a write by another process has changed it since, so they are refused whole, like those of a holder
 *   that was replaced.
 * - remembered-turn.U2: Only a caller that holds the history at the last turn has such turns. It is the one that
 *   committed that turn, so a process that ends leaves one attempt uncounted: no other process holds the history, and
 *   the next fetch locks.
 * - remembered-turn.U3: No message of it was handed out before, it is not blocked, and it does not run alone, because
 *   the store counts attempts only with a lock. A message that this process has handed out without a lock is locked the
 *   next time, and that attempt counts.
 * - remembered-turn.U4: For the other fetches of the process the instance is locked until the turn or its time is
 *   over.
 * - remembered-turn.U5: A renewal writes the lock, under the token of the turn.
 */
import { invariant } from "@duroxide-ts/core/stores";
import type { Instance } from "../documents/instance.ts";
import type { RememberedTurn } from "../memory/held.ts";
import type { Parts } from "../memory/parts.ts";
import { extendTurn } from "./extend-turn.ts";
import { giveBackTurn, offerAgain } from "./give-back-turn.ts";
import { writeUnder } from "./lease.ts";
import { hold, type LockRequest, newLock } from "./new-lock.ts";
import type { TurnActions } from "./turn-actions.ts";
import { TURN_LEASE } from "./turn-lease.ts";

/**
 * No write. `undefined` where the turn needs a lock in the store (remembered-turn.U3). remembered-turn.U2 is
 * checked by the caller.
 */
export function turnWithoutLock(
  parts: Parts,
  request: LockRequest & { readonly instance: Instance },
): RememberedTurn | undefined {
  const { instanceId, instance, rows } = request;
  const { taken, blocked, alone } = instance.notes;
  if (instance.document.lockToken !== null || blocked !== undefined || alone !== undefined) return undefined;
  if (parts.memory.heldTurns.remembered(instanceId) !== undefined) return undefined;
  if (rows.some(({ id, attempts }) => attempts > 0 || taken?.[id] !== undefined)) return undefined;
  invariant(instance.etag !== "", "remembered-turn.U1");
  return hold(parts, newLock(parts, request), instance, { kind: "remembered" });
}

export function rememberedTurn(turn: RememberedTurn): TurnActions {
  return {
    commit: (work, attempt) => writeUnder(TURN_LEASE, work, turn, attempt),
    async renew(work, durationMs, options) {
      await extendTurn(work, turn, durationMs, options);
    },
    giveBack: (work, options) => giveBackTurn(work, turn, options),
    async undo(work) {
      work.memory.heldTurns.delete(turn.secret);
      offerAgain(work, turn, undefined);
    },
  };
}

/** Adds the attempts that are counted in the memory of this process only (remembered-turn.U3). */
export function withUncounted({ memory }: Parts, request: LockRequest): LockRequest {
  const before = memory.heldTurns.remembered(request.instanceId);
  if (before === undefined) return request;
  const attempts = new Map(before.rows.map((row) => [row.id, row.attempts]));
  const rows = request.rows.map((row) => ({
    ...row,
    attempts: Math.max(row.attempts, attempts.get(row.id) ?? 0),
  }));
  return { ...request, rows };
}
