/** Extends the lock of a turn: one write of the instance document (docs/reference/provider-contract.md §8.2). */
import { later, type RenewOptions } from "@duroxide-ts/core/stores";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Notes, writtenInstance } from "../documents/instance.ts";
import type { StoredTurn, TakenRow, TurnLease } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import { keptLock } from "./keep-lock.ts";
import { write, writeUnder } from "./lease.ts";
import { readTurn, TURN_LEASE } from "./turn-lease.ts";

/** `undefined` if the instance is gone. Throws `lock-lost` if another fetch has locked it. */
export async function extendTurn(
  work: Work,
  lease: TurnLease,
  durationMs: number,
  options: RenewOptions = {},
): Promise<StoredTurn | undefined> {
  const { memory } = work;
  const { clock } = work.service;
  const outcome = await writeUnder(TURN_LEASE, work, lease, (held) => {
    const { instance, instanceId } = held;
    const lockedUntilMs = Math.max(held.lockedUntilMs, later(clock.now(), durationMs));
    const id = instanceDocumentId(instanceId);
    const rows = changedRows(held, options);
    const body = keptLock(held, { lockedUntilMs, rows, notes: changedNotes(instance.notes, rows, options) });
    return write<StoredTurn>(work, {
      partition: instanceId,
      operations: [{ kind: "replace", id, body, ifMatch: instance.etag }],
      stored: ({ etags: [etag] }) => {
        return {
          ...held,
          kind: "stored",
          rows,
          lockedUntilMs,
          instance: writtenInstance(work.operation, id, body, etag),
        };
      },
      // An earlier attempt may have stored this renewal, which must not change the attempts twice.
      async storedBefore() {
        const stored = await readTurn(work, lease);
        return stored !== undefined && isWritten(stored, lockedUntilMs, rows) ? stored : undefined;
      },
    });
  });
  if (outcome.kind !== "done") return undefined;
  memory.heldTurns.set(outcome.value);
  memory.instances.holds(lease.instanceId, outcome.value.lockedUntilMs);
  return outcome.value;
}

function changedRows({ rows }: TurnLease, { ignoreAttempt = false }: RenewOptions): readonly TakenRow[] {
  return ignoreAttempt ? rows.map(({ id, attempts }) => ({ id, attempts: Math.max(0, attempts - 1) })) : rows;
}

function changedNotes(notes: Notes, rows: readonly TakenRow[], { alone = false }: RenewOptions): Notes {
  const marked = [...(notes.alone ?? []), ...(alone ? rows.map(({ id }) => id) : [])];
  return { ...notes, ...(marked.length > 0 && { alone: marked }) };
}

function isWritten(
  { instance, lockedUntilMs }: TurnLease,
  untilMs: number,
  rows: readonly TakenRow[],
): boolean {
  const taken = instance.notes.taken ?? {};
  return lockedUntilMs === untilMs && rows.every(({ id, attempts }) => taken[id] === attempts);
}
