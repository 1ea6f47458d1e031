/**
 * The messages of an instance that was locked by its start: an event, a cancellation or another start may have come
 * before (docs/decisions/0044, S2). Nobody has taken them, because the start has created the instance.
 */
import type { FetchOrchestrationOptions } from "@duroxide-ts/core/stores";
import { undoTurn } from "../leases/give-back-turn.ts";
import type { LockedTurn } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call } from "../service/service.ts";
import { knowsOrchestration } from "./known-names.ts";
import { readPartition } from "./partition.ts";
import { putAside } from "./put-aside.ts";

/** Undefined where it is for others, or lost. */
export async function readFirst(
  memory: Memory,
  call: Call,
  { turn }: LockedTurn,
  options: FetchOrchestrationOptions,
): Promise<LockedTurn | undefined> {
  const { instanceId, instance } = turn;
  try {
    const { instance: stored, rows, undecodable } = await readPartition(call, instanceId);
    if (undecodable.length > 0) await putAside(call, instanceId, undecodable);
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
    // A fetch that fails or is called off leaves no lock behind.
    await undoTurn(call.service, memory, call.operation, turn);
    throw error;
  }
  await undoTurn(call.service, memory, call.operation, turn);
  return undefined;
}
