/**
 * Gives a turn back: the lock, and the messages that it took with their attempts (docs/reference/
 * provider-contract.md §8), in one batch. Messages that arrived later are not touched.
 */
import type { BatchOperation, Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { toBody } from "../schema/body.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { NOTES_FIELD } from "../schema/instance.ts";
import { without } from "../staging/finish-commit.ts";
import type { Store } from "../store/store.ts";
import { findTurnAgain } from "./find-held-turn.ts";
import type { HeldTurn } from "./held-turn.ts";

export interface GiveBackOptions {
  /** Until when the messages are hidden; undefined for not at all. */
  readonly visibleAtMs: number | undefined;
  readonly ignoreAttempt: boolean;
}

/** `lock-lost` where it is somebody else's. */
export async function giveBackTurn(
  store: Store,
  call: Call,
  turn: HeldTurn,
  { visibleAtMs, ignoreAttempt }: GiveBackOptions,
): Promise<void> {
  const { instanceId, secret, waitingSinceMs } = turn;
  let held = turn;
  while (!(await giveBack(store, call, held, givenBack(held, visibleAtMs, ignoreAttempt)))) {
    held = await findTurnAgain(store, call, { instanceId, secret });
  }
  store.turns.delete(secret);
  if (visibleAtMs !== undefined && !ignoreAttempt) store.turnsLeft.add(instanceId, visibleAtMs);
  // The messages are as they were before, but nobody here knows them by heart.
  store.knowledge.forget(instanceId, store.clock.now());
  // At once means before whatever came in the same millisecond.
  store.knowledge.expect(instanceId, visibleAtMs ?? waitingSinceMs - 1);
  store.turnsWanted.notify();
}

/** So long is tried what is only a courtesy: a lock that is not given back ends by itself. */
const UNDO_MS = 2_000;

/** As if it was never fetched: for a lock that nobody is there to use. */
export async function undoTurn(store: Store, operation: string, turn: HeldTurn): Promise<void> {
  const call = store.requests.call(operation, UNDO_MS);
  const asBefore = { visibleAtMs: undefined, ignoreAttempt: true };
  await giveBackTurn(store, call, turn, asBefore).catch(() => undefined);
}

/** False where the instance was written meanwhile. */
async function giveBack(
  store: Store,
  call: Call,
  { instanceId, instance }: HeldTurn,
  rows: readonly BatchOperation[],
): Promise<boolean> {
  const id = instanceDocumentId(instanceId);
  const { taken: _, ...notes } = instance.notes;
  const body: Body = {
    ...toBody(instance.document),
    lockToken: null,
    lockedUntil: null,
    [NOTES_FIELD]: notes,
  };
  const unlock: BatchOperation = { kind: "replace", id, body, ifMatch: instance.etag };
  for (let remaining = rows; ; ) {
    const outcome = await store.requests.batch(call, instanceId, [unlock, ...remaining]);
    // After a lost answer the lock is gone because this call has given it back.
    if (outcome.ok || (outcome.index === 0 && outcome.repeated)) return true;
    if (outcome.index === 0) return false;
    remaining = without(remaining, outcome.index - 1);
  }
}

function givenBack(
  { rows }: HeldTurn,
  visibleAtMs: number | undefined,
  ignoreAttempt: boolean,
): BatchOperation[] {
  return rows.map(({ id, attempts }) => ({
    kind: "set",
    id,
    values: {
      attemptCount: Math.max(0, attempts - (ignoreAttempt ? 1 : 0)),
      ...(visibleAtMs !== undefined && { visibleAt: visibleAtMs }),
      // It has met its start: from now on it is as visible as it says.
      [NOTES_FIELD]: {},
    },
  }));
}
