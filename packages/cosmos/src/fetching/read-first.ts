/**
 * The messages of an instance that was locked by its start: an event, a cancellation or another start may have come
 * before (claim-turn.C3). No process has taken them, because the start has created the instance.
 */
import type { FetchOrchestrationOptions } from "@duroxide-ts/core/stores";
import { actionsOf } from "../leases/actions-of.ts";
import type { LockedTurn, TurnLease, UnreadTurn } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import { READ_FIRST_MS } from "../memory/waits.ts";
import { knowsOrchestration } from "./handler-reservation.ts";
import { moveToDeadLetters } from "./move-to-dead-letters.ts";
import { readPartition } from "./partition.ts";

/** Undefined if it is left to others, or lost. */
export function readFirst(
  work: Work,
  { unread, rows }: UnreadTurn,
  options: FetchOrchestrationOptions,
): Promise<LockedTurn | undefined> {
  return unread.kind === "unborn"
    ? readUnborn(work, { turn: unread, rows })
    : readLocked(work, unread, options);
}

/** If other messages exist, a start that is not stored yet is stored first, and its turn takes all messages. */
async function readUnborn(work: Work, locked: LockedTurn): Promise<LockedTurn | undefined> {
  const { instanceId } = locked.turn;
  try {
    const reading = work.within(READ_FIRST_MS, work.signal);
    const { instance, rows, undecodable } = await readPartition(reading, instanceId);
    if (instance === undefined && rows.length === 0 && undecodable.length === 0) {
      work.memory.instances.began(instanceId, true, work.clock.now());
      return locked;
    }
  } catch (error) {
    await actionsOf(locked.turn).undo(work);
    throw error;
  }
  await actionsOf(locked.turn).undo(work);
  return undefined;
}

async function readLocked(
  work: Work,
  turn: TurnLease,
  options: FetchOrchestrationOptions,
): Promise<LockedTurn | undefined> {
  const { instanceId, instance } = turn;
  try {
    const { instance: stored, rows, undecodable } = await readPartition(work, instanceId);
    if (undecodable.length > 0) await moveToDeadLetters(work, instanceId, undecodable);
    const isOurs = stored?.etag === instance.etag && rows.length > 0;
    if (isOurs && knowsOrchestration(options, instance, rows)) {
      const taken = rows.map(({ id, attempts }) => ({ id, attempts: attempts + 1 }));
      const waitingSinceMs = Math.min(...rows.map(({ visibleAtMs }) => visibleAtMs));
      const read = { ...turn, rows: taken, waitingSinceMs };
      work.memory.heldTurns.set(read);
      work.memory.instances.began(instanceId, true, work.clock.now());
      return { turn: read, rows };
    }
  } catch (error) {
    // A fetch that fails or is aborted leaves no lock.
    await actionsOf(turn).undo(work);
    throw error;
  }
  await actionsOf(turn).undo(work);
  return undefined;
}
