/** Extends a valid lock: one write of the instance document (docs/reference/provider-contract.md §8, §8.2). */

import type { RenewOptions } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Notes, writtenInstance } from "../documents/instance.ts";
import { findTurnAgain, findValidTurn } from "../leases/find-held-turn.ts";
import { parseInstanceToken } from "../leases/lock-token.ts";
import type { HeldTurn, TakenRow } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { FIND_LOCK_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "renewOrchestrationItemLock";

export async function renewOrchestrationItemLock(
  service: Service,
  memory: Memory,
  lockToken: string,
  extendMs: number,
  options: RenewOptions = {},
): Promise<void> {
  const token = parseInstanceToken(OPERATION, lockToken);
  const durationMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const { clock } = service;
  let held = await findValidTurn(service, memory, service.call(OPERATION, FIND_LOCK_MS), token);
  const call = service.call(OPERATION, held.lockedUntilMs - clock.now());
  for (;;) {
    const { instance, instanceId } = held;
    const lockedUntilMs = Math.max(held.lockedUntilMs, later(clock.now(), durationMs));
    const id = instanceDocumentId(instanceId);
    const rows = changedRows(held, options);
    const body: Body = {
      ...toBody(instance.document),
      lockedUntil: lockedUntilMs,
      [NOTES_FIELD]: changedNotes(instance.notes, rows, options),
    };
    const replace: BatchOperation = { kind: "replace", id, body, ifMatch: instance.etag };
    const outcome = await service.batch(call, instanceId, [replace]);
    const renewed = outcome.ok
      ? { ...held, rows, instance: writtenInstance(OPERATION, id, body, outcome.etags[0]) }
      : await findTurnAgain(service, memory, call, token);
    // After a lost answer the renewal may be this one, and must not change the attempts twice.
    const isDone = outcome.ok || (outcome.repeated && isWritten(renewed, lockedUntilMs, rows));
    if (isDone) {
      memory.heldTurns.set({ ...renewed, lockedUntilMs });
      memory.instances.holds(instanceId, lockedUntilMs);
      return;
    }
    held = renewed;
  }
}

function changedRows({ rows }: HeldTurn, { ignoreAttempt = false }: RenewOptions): readonly TakenRow[] {
  return ignoreAttempt ? rows.map(({ id, attempts }) => ({ id, attempts: Math.max(0, attempts - 1) })) : rows;
}

function changedNotes(notes: Notes, rows: readonly TakenRow[], { alone = false }: RenewOptions): Notes {
  const marked = new Set([...(notes.alone ?? []), ...(alone ? rows.map(({ id }) => id) : [])]);
  return {
    ...notes,
    taken: Object.fromEntries(rows.map(({ id, attempts }) => [id, attempts])),
    ...(marked.size > 0 && { alone: [...marked] }),
  };
}

function isWritten(
  { instance, lockedUntilMs }: HeldTurn,
  untilMs: number,
  rows: readonly TakenRow[],
): boolean {
  const taken = instance.notes.taken ?? {};
  return lockedUntilMs === untilMs && rows.every(({ id, attempts }) => taken[id] === attempts);
}
