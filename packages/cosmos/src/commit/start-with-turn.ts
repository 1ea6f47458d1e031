/**
 * A start that waits for the commit of its first turn instead of being stored before it
 * (docs/decisions/cosmos-turns.md), if a fetch of this process waits for such a turn.
 */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { instanceDocumentId } from "../documents/ids.ts";
import { writtenInstance } from "../documents/instance.ts";
import { messageBody, type NewRow, newMessageRow } from "../documents/rows.ts";
import type { NewLock } from "../leases/new-lock.ts";
import { lockOperation, ownLock } from "../leases/take-lock.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { UnstoredStart } from "../memory/unstored-start.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";
import { TurnClaim } from "./claim-turn.ts";

/** Whether the start is stored. If not, nothing is stored, and the turn cannot be committed any more. */
export async function startWithTurn(
  parts: Parts,
  operation: string,
  row: NewRow<OrchestratorItem>,
): Promise<boolean> {
  // A first turn that ends its process does so once only: a name whose first turn was never committed is stored first.
  const { item } = row;
  if (item.kind !== "StartOrchestration" || !parts.memory.firstTurns.has(item.orchestration)) return false;
  using claim = TurnClaim.forMessage(parts, row.instanceId, newMessageRow(row));
  if (claim === undefined) return false;
  const start = new UnstoredStart();
  if (!claim.handOutUnstored(start)) return false;
  try {
    const decision = await start.decision;
    if (decision !== "late") return decision === "committed";
    return await storeLocked(new Work(parts, operation, WRITE_PATIENCE_MS), claim.lock, row);
  } finally {
    start.end();
  }
}

/**
 * Stores the start with a lock, under which the turn continues (unstored-start.T3). The lease keeps
 * its secret and loses its `start`: from here on its commit replaces the instance and deletes the message, as that of
 * any other turn.
 */
async function storeLocked(work: Work, lock: NewLock, row: NewRow<OrchestratorItem>): Promise<boolean> {
  const { memory } = work;
  const { instanceId, secret, body } = lock;
  const turn = memory.heldTurns.get(secret);
  memory.heldTurns.delete(secret);
  const operations = [{ kind: "create", body: messageBody(row) }, lockOperation(lock, undefined)] as const;
  const outcome = await work.batch(instanceId, operations);
  const instance = outcome.ok
    ? writtenInstance(work.operation, instanceDocumentId(instanceId), body, outcome.etags[1])
    : outcome.repeated
      ? await ownLock(work, lock)
      : undefined;
  if (instance === undefined || turn === undefined) return false;
  const { start: _, ...held } = turn;
  memory.heldTurns.set({ ...held, instance });
  memory.instances.wrote(instanceId, newMessageRow(row));
  return true;
}
