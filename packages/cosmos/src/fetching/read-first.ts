/**
 * The messages of an instance that was locked by its start: an event, a cancellation or another start may have come
 * before (claim-turn.C3). No process has taken them, because the start has created the instance.
 */
import type { FetchOrchestrationOptions } from "@duroxide-ts/core/stores";
import { dropUnstored, undoTurn } from "../leases/give-back-turn.ts";
import type { LockedTurn } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { READ_FIRST_MS } from "../memory/waits.ts";
import type { Call } from "../service/service.ts";
import { knowsOrchestration } from "./handler-reservation.ts";
import { moveToDeadLetters } from "./move-to-dead-letters.ts";
import { readPartition } from "./partition.ts";

/** Undefined if it is left to others, or lost. */
export function readFirst(
  memory: Memory,
  call: Call,
  locked: LockedTurn,
  options: FetchOrchestrationOptions,
): Promise<LockedTurn | undefined> {
  return locked.turn.start === undefined
    ? readLocked(memory, call, locked, options)
    : readUnstored(memory, call, locked);
}

/** If other messages exist, a start that is not stored yet is stored first, and its turn takes all messages. */
async function readUnstored(
  memory: Memory,
  { service, operation, signal }: Call,
  locked: LockedTurn,
): Promise<LockedTurn | undefined> {
  const { instanceId } = locked.turn;
  try {
    const call = service.call(operation, READ_FIRST_MS, signal);
    const { instance, rows, undecodable } = await readPartition(memory, call, instanceId);
    if (instance === undefined && rows.length === 0 && undecodable.length === 0) {
      memory.instances.began(instanceId, true, service.clock.now());
      return locked;
    }
  } catch (error) {
    dropUnstored(service, memory, locked.turn);
    throw error;
  }
  dropUnstored(service, memory, locked.turn);
  return undefined;
}

async function readLocked(
  memory: Memory,
  call: Call,
  { turn }: LockedTurn,
  options: FetchOrchestrationOptions,
): Promise<LockedTurn | undefined> {
  const { instanceId, instance } = turn;
  try {
    const { instance: stored, rows, undecodable } = await readPartition(memory, call, instanceId);
    if (undecodable.length > 0) await moveToDeadLetters(call, instanceId, undecodable);
    const isOurs = stored?.etag === instance.etag && rows.length > 0;
    if (isOurs && knowsOrchestration(options, instance, rows)) {
      const taken = rows.map(({ id, attempts }) => ({ id, attempts: attempts + 1 }));
      const waitingSinceMs = Math.min(...rows.map(({ visibleAtMs }) => visibleAtMs));
      const read = { ...turn, rows: taken, waitingSinceMs };
      memory.heldTurns.set(read);
      memory.instances.began(instanceId, true, call.service.clock.now());
      return { turn: read, rows };
    }
  } catch (error) {
    // A fetch that fails or is aborted leaves no lock.
    await undoTurn(call.service, memory, call.operation, turn);
    throw error;
  }
  await undoTurn(call.service, memory, call.operation, turn);
  return undefined;
}
