/** Extends a valid lock: one write of the instance document (docs/reference/provider-contract.md §8, §8.2). */
import { later, type RenewOptions, toDurationMs } from "@duroxide-ts/core/stores";
import { parseInstanceToken } from "../lock-token.ts";
import type { BatchOperation, Body } from "../requests/batch.ts";
import { toBody } from "../schema/body.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { NOTES_FIELD, type Notes, writtenInstance } from "../schema/instance.ts";
import type { Store } from "../store/store.ts";
import { findTurnAgain, findValidTurn } from "../turn/find-held-turn.ts";
import type { HeldTurn, TakenRow } from "../turn/held-turn.ts";

const OPERATION = "renewOrchestrationItemLock";

export async function renewOrchestrationItemLock(
  store: Store,
  lockToken: string,
  extendMs: number,
  options: RenewOptions = {},
): Promise<void> {
  const token = parseInstanceToken(OPERATION, lockToken);
  const durationMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const { requests, clock } = store;
  let held = await findValidTurn(store, requests.call(OPERATION, 1_000), token);
  const call = requests.call(OPERATION, held.lockedUntilMs - clock.now());
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
    const outcome = await requests.batch(call, instanceId, [replace]);
    const renewed = outcome.ok
      ? { ...held, rows, instance: writtenInstance(OPERATION, id, body, outcome.etags[0]) }
      : await findTurnAgain(store, call, token);
    // After a lost answer the renewal may be this one, and must not change the attempts twice.
    const isDone = outcome.ok || (outcome.repeated && isWritten(renewed, lockedUntilMs, rows));
    if (isDone) {
      store.turns.set({ ...renewed, lockedUntilMs });
      store.knowledge.holds(instanceId, lockedUntilMs);
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
