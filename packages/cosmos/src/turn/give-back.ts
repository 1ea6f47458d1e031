/**
 * Gives a turn back: the lock, and the messages that it took with their attempts (docs/reference/
 * provider-contract.md §8), in one batch. Messages that arrived later are not touched.
 *
 * A blocked batch is hidden and stays whole (§8.1): its rows are marked so that a turn which begins with a later message
 * takes them along (partition.ts).
 */
import type { BlockedReason } from "@duroxide-ts/core/stores";
import type { BatchOperation, Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { blockedAgain } from "../schema/blocked.ts";
import { toBody } from "../schema/body.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { NOTES_FIELD, type Notes } from "../schema/instance.ts";
import { without } from "../staging/finish-commit.ts";
import type { Store } from "../store/store.ts";
import { findTurnAgain } from "./find-held-turn.ts";
import type { HeldTurn } from "./held-turn.ts";

export interface GiveBackOptions {
  /** Until when the messages are hidden; undefined for not at all. */
  readonly visibleAtMs: number | undefined;
  readonly ignoreAttempt: boolean;
  /** Why nobody here can go on with them. */
  readonly blocked?: BlockedReason | undefined;
}

/** What becomes of the instance's notes, and of each row. */
interface GivenBack {
  readonly notes: Notes;
  readonly rows: readonly BatchOperation[];
}

type ToGivenBack = (turn: HeldTurn) => GivenBack;

/** `lock-lost` where it is somebody else's. */
export async function giveBackTurn(
  store: Store,
  call: Call,
  turn: HeldTurn,
  options: GiveBackOptions,
): Promise<void> {
  const { instanceId } = turn;
  const { visibleAtMs, ignoreAttempt, blocked } = options;
  await unlock(store, call, turn, (held) => givenBack(held, options, store.clock.now()));
  const isInVain = !ignoreAttempt || blocked !== undefined;
  if (visibleAtMs !== undefined && isInVain) store.turnsLeft.add(instanceId, visibleAtMs);
  offerAgain(store, turn, visibleAtMs);
}

async function unlock(store: Store, call: Call, turn: HeldTurn, toGivenBack: ToGivenBack): Promise<void> {
  const { instanceId, secret } = turn;
  let held = turn;
  while (!(await giveBack(store, call, held, toGivenBack(held)))) {
    held = await findTurnAgain(store, call, { instanceId, secret });
  }
  store.turns.delete(secret);
}

function offerAgain(
  store: Store,
  { instanceId, waitingSinceMs }: HeldTurn,
  visibleAtMs: number | undefined,
): void {
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
  try {
    await unlock(store, call, turn, asBefore);
  } catch {
    return;
  }
  offerAgain(store, turn, undefined);
}

/** False where the instance was written meanwhile. */
async function giveBack(
  store: Store,
  call: Call,
  { instanceId, instance }: HeldTurn,
  { notes, rows }: GivenBack,
): Promise<boolean> {
  const id = instanceDocumentId(instanceId);
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
  { rows, instance }: HeldTurn,
  { visibleAtMs, ignoreAttempt, blocked: reason }: GiveBackOptions,
  nowMs: number,
): GivenBack {
  const { taken: _, blocked: before, ...notes } = instance.notes;
  const nextTryAtMs = visibleAtMs ?? nowMs;
  const blocked = reason && blockedAgain(before, reason, { nowMs, nextTryAtMs });
  // Rows of a batch that was blocked before may be hidden, and are visible at once now.
  const visibleAt = visibleAtMs ?? (before === undefined ? undefined : nowMs);
  return {
    notes: { ...notes, ...(blocked !== undefined && { blocked }) },
    rows: rows.map(({ id, attempts }) => ({
      kind: "set",
      id,
      values: {
        attemptCount: Math.max(0, attempts - (ignoreAttempt ? 1 : 0)),
        ...(visibleAt !== undefined && { visibleAt }),
        // It has met its start: from now on it is as visible as it says, unless it waits for the batch.
        [NOTES_FIELD]: blocked === undefined ? {} : { postponedFrom: 0 },
      },
    })),
  };
}

function asBefore({ rows, instance }: HeldTurn): GivenBack {
  const { taken: _, ...notes } = instance.notes;
  return {
    notes,
    rows: rows.map(({ id, attempts }) => ({
      kind: "set",
      id,
      values: { attemptCount: Math.max(0, attempts - 1) },
    })),
  };
}
