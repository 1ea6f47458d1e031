/** Extends a valid lock: one write of the instance document (docs/reference/provider-contract.md §8, §8.2). */
import { later, type RenewOptions, toDurationMs } from "@duroxide-ts/core/stores";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Notes, writtenInstance } from "../documents/instance.ts";
import { keptLock } from "../leases/keep-lock.ts";
import { findValidLease, type Holder, write, writeUnder } from "../leases/lease.ts";
import { parseInstanceToken } from "../leases/lock-token.ts";
import { TURN_LEASE } from "../leases/turn-lease.ts";
import type { TakenRow, TurnLease } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import { FIND_LOCK_MS } from "../memory/waits.ts";
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
  await memory.heldTurns.get(token.secret)?.start?.store();
  const finding = { memory, call: service.call(OPERATION, FIND_LOCK_MS) };
  const lease = await findValidLease(TURN_LEASE, finding, token);
  if (lasts(lease, later(service.clock.now(), durationMs), options)) return;
  const call = service.call(OPERATION, lease.lockedUntilMs - service.clock.now());
  const holder: Holder = { memory, call };
  const outcome = await writeUnder(TURN_LEASE, holder, lease, (held) => {
    const { instance, instanceId } = held;
    const lockedUntilMs = Math.max(held.lockedUntilMs, later(service.clock.now(), durationMs));
    const id = instanceDocumentId(instanceId);
    const rows = changedRows(held, options);
    const body = keptLock(held, { lockedUntilMs, rows, notes: changedNotes(instance.notes, rows, options) });
    return write<TurnLease>(call, {
      partition: instanceId,
      operations: [{ kind: "replace", id, body, ifMatch: instance.etag }],
      stored: ({ etags: [etag] }) => {
        const { isUnwritten: _, ...lease } = held;
        return { ...lease, rows, lockedUntilMs, instance: writtenInstance(OPERATION, id, body, etag) };
      },
      // An earlier attempt may have stored this renewal, which must not change the attempts twice.
      async storedBefore() {
        const stored = await TURN_LEASE.read(holder, token);
        return stored !== undefined && isWritten(stored, lockedUntilMs, rows) ? stored : undefined;
      },
    });
  });
  if (outcome.kind !== "done") return;
  memory.heldTurns.set(outcome.value);
  memory.instances.holds(token.instanceId, outcome.value.lockedUntilMs);
}

/** A staged commit has extended the lock for longer (commit/staging.ts). A write would only change the ETag. */
function lasts(
  { lockedUntilMs, isUnwritten }: TurnLease,
  untilMs: number,
  { ignoreAttempt = false, alone = false }: RenewOptions,
): boolean {
  return lockedUntilMs > untilMs && isUnwritten !== true && !ignoreAttempt && !alone;
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
