/**
 * Releases a turn in one batch: the lock, the messages of the turn and their attempts (docs/reference/
 * provider-contract.md §8). Messages that arrived later are not changed.
 *
 * A blocked batch is hidden and stays whole (§8.1): its rows have a mark, by which a turn that begins with a later
 * message includes them (partition.ts).
 */
import type { BlockedReason } from "@duroxide-ts/core/stores";
import { blockedAgain } from "../documents/blocked.ts";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Notes } from "../documents/instance.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Parts, Work } from "../memory/parts.ts";
import { isRefusal } from "../memory/refused-writes.ts";
import { BEST_EFFORT_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import { type Change, write, writeUnder } from "./lease.ts";
import { TURN_LEASE } from "./turn-lease.ts";

export interface GiveBackOptions {
  /** The end of the time in which the messages are hidden; undefined if they are visible at once. */
  readonly visibleAtMs: number | undefined;
  readonly ignoreAttempt: boolean;
  /** Why this process cannot process them. */
  readonly blocked?: BlockedReason | undefined;
}

/** The changes of the instance's notes and of each row. */
interface GivenBack {
  readonly notes: Notes;
  readonly rows: readonly BatchOperation[];
}

type ToGivenBack = (lease: TurnLease) => GivenBack;

/** Throws `lock-lost` if another fetch has locked it. */
export async function giveBackTurn(work: Work, turn: TurnLease, options: GiveBackOptions): Promise<void> {
  const { instanceId } = turn;
  const { visibleAtMs, ignoreAttempt, blocked } = options;
  await unlock(work, turn, (held) => givenBack(held, options, work.clock.now()));
  const isInVain = !ignoreAttempt || blocked !== undefined;
  if (visibleAtMs !== undefined && isInVain) work.memory.turns.left.add(instanceId, visibleAtMs);
  offerAgain(work, turn, visibleAtMs);
}

async function unlock(work: Work, lease: TurnLease, toGivenBack: ToGivenBack): Promise<void> {
  await writeUnder(TURN_LEASE, work, lease, (held) => write(work, unlocking(held, toGivenBack(held))));
  work.memory.heldTurns.delete(lease.secret);
}

function unlocking({ instanceId, instance }: TurnLease, { notes, rows }: GivenBack): Change<true> {
  const id = instanceDocumentId(instanceId);
  const body: Body = {
    ...toBody(instance.document),
    lockToken: null,
    lockedUntil: null,
    [NOTES_FIELD]: notes,
  };
  return {
    partition: instanceId,
    operations: [{ kind: "replace", id, body, ifMatch: instance.etag }, ...rows],
    stored: () => true,
    // A message may have been deleted with its instance.
    isOptional: () => true,
    // An earlier attempt of this call has released the lock.
    storedBefore: () => true,
  };
}

/** Other fetches may have the turn. */
export function offerAgain(
  parts: Parts,
  { instanceId, waitingSinceMs }: TurnLease,
  visibleAtMs: number | undefined,
): void {
  // The messages are stored as before, but this process does not have their documents in memory.
  parts.memory.instances.forget(instanceId, parts.clock.now());
  // Visible at once: before messages of the same millisecond.
  parts.memory.instances.expect(instanceId, visibleAtMs ?? waitingSinceMs - 1);
  parts.memory.waitingForTurns.notify();
}

/** Gives it back as it was: for a lock whose fetch has failed or was aborted. */
export async function undoLock(work: Work, turn: TurnLease): Promise<void> {
  try {
    await unlock(work.within(BEST_EFFORT_MS), turn, asBefore);
  } catch (error) {
    if (!isRefusal(error)) return;
    const { instanceId } = turn;
    work.service.warn(`the lock of a turn is not given back, and ends by itself: ${error.detail}`, {
      instanceId,
    });
    return;
  }
  offerAgain(work, turn, undefined);
}

function givenBack(
  { rows, instance }: TurnLease,
  { visibleAtMs, ignoreAttempt, blocked: reason }: GiveBackOptions,
  nowMs: number,
): GivenBack {
  const { taken: _, blocked: before, ...notes } = instance.notes;
  const nextTryAtMs = visibleAtMs ?? nowMs;
  const blocked = reason && blockedAgain(before, reason, { nowMs, nextTryAtMs });
  // Rows of a batch that was blocked before may be hidden. They become visible at once.
  const visibleAt = visibleAtMs ?? (before === undefined ? undefined : nowMs);
  return {
    notes: { ...notes, ...(blocked !== undefined && { blocked }) },
    rows: rows.map(({ id, attempts }) => ({
      kind: "set",
      id,
      values: {
        attemptCount: Math.max(0, attempts - (ignoreAttempt ? 1 : 0)),
        ...(visibleAt !== undefined && { visibleAt }),
        // It was in a batch with its start, so its own visibility applies again, unless the batch is blocked.
        [NOTES_FIELD]: blocked === undefined ? {} : { postponedFrom: 0 },
      },
    })),
  };
}

function asBefore({ rows, instance }: TurnLease): GivenBack {
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
