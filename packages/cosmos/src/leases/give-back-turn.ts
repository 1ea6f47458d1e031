/**
 * Gives a turn back: the lock, and the messages that it took with their attempts (docs/reference/
 * provider-contract.md §8), in one batch. Messages that arrived later are not touched.
 *
 * A blocked batch is hidden and stays whole (§8.1): its rows are marked so that a turn which begins with a later message
 * takes them along (partition.ts).
 */

import type { BlockedReason } from "@duroxide-ts/core";
import { blockedAgain } from "../documents/blocked.ts";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Notes } from "../documents/instance.ts";
import type { HeldTurn } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { BEST_EFFORT_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call } from "../service/call.ts";
import type { Service } from "../service/service.ts";
import { findTurnAgain } from "./find-held-turn.ts";
import { without } from "./finish-commit.ts";

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
  service: Service,
  memory: Memory,
  call: Call,
  turn: HeldTurn,
  options: GiveBackOptions,
): Promise<void> {
  const { instanceId } = turn;
  const { visibleAtMs, ignoreAttempt, blocked } = options;
  await unlock(service, memory, call, turn, (held) => givenBack(held, options, service.clock.now()));
  const isInVain = !ignoreAttempt || blocked !== undefined;
  if (visibleAtMs !== undefined && isInVain) memory.turns.left.add(instanceId, visibleAtMs);
  offerAgain(service, memory, turn, visibleAtMs);
}

async function unlock(
  service: Service,
  memory: Memory,
  call: Call,
  turn: HeldTurn,
  toGivenBack: ToGivenBack,
): Promise<void> {
  const { instanceId, secret } = turn;
  let held = turn;
  while (!(await giveBack(service, call, held, toGivenBack(held)))) {
    held = await findTurnAgain(service, memory, call, { instanceId, secret });
  }
  memory.heldTurns.delete(secret);
}

function offerAgain(
  service: Service,
  memory: Memory,
  { instanceId, waitingSinceMs }: HeldTurn,
  visibleAtMs: number | undefined,
): void {
  // The messages are as they were before, but nobody here knows them by heart.
  memory.instances.forget(instanceId, service.clock.now());
  // At once means before whatever came in the same millisecond.
  memory.instances.expect(instanceId, visibleAtMs ?? waitingSinceMs - 1);
  memory.turns.changed.notify();
}

/** As if it was never fetched: for a lock that nobody is there to use. */
export async function undoTurn(
  service: Service,
  memory: Memory,
  operation: string,
  turn: HeldTurn,
): Promise<void> {
  const call = service.call(operation, BEST_EFFORT_MS);
  try {
    await unlock(service, memory, call, turn, asBefore);
  } catch {
    return;
  }
  offerAgain(service, memory, turn, undefined);
}

/** False where the instance was written meanwhile. */
async function giveBack(
  service: Service,
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
    const outcome = await service.batch(call, instanceId, [unlock, ...remaining]);
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
