/**
 * A turn of a start that is not stored (docs/decisions/cosmos-turns.md): its commit creates the instance. The call of the
 * start waits for it, and stores the start where the turn does not (memory/unstored-start.ts).
 */
import { type OrchestratorItem, ProviderError } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import { writtenInstance } from "../documents/instance.ts";
import { messageBody, type NewRow, newMessageRow } from "../documents/rows.ts";
import type { StoredTurn, TurnLease, UnbornTurn } from "../memory/held.ts";
import type { Parts, Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import { findLease, findValidLease, type Outcome, type Settled, writeUnder } from "./lease.ts";
import type { NewLock } from "./new-lock.ts";
import { storedTurn } from "./stored-turn.ts";
import { lockOperation, ownLock } from "./take-lock.ts";
import type { TurnActions } from "./turn-actions.ts";
import { TURN_LEASE } from "./turn-lease.ts";

export function unbornTurn(turn: UnbornTurn): TurnActions {
  return {
    commit: (work, attempt) => commitUnborn(work, turn, attempt),
    async renew(work, durationMs, options) {
      const stored = await storedFirst(work, turn, findValidLease);
      await storedTurn(stored).renew(work, durationMs, options);
    },
    async giveBack(work, options) {
      await storedTurn(await storedFirst(work, turn, findLease)).giveBack(work, options);
    },
    async undo(work) {
      dropUnborn(work, turn);
    },
  };
}

/** The call that waits for its start stores the start. */
export function dropUnborn({ memory, clock }: Parts, { instanceId, secret, start }: UnbornTurn): void {
  memory.heldTurns.delete(secret);
  memory.instances.forget(instanceId, clock.now());
  start.decline();
}

/** The lease for a commit: this one, or that of the start which is stored meanwhile. */
export async function takenForCommit(work: Work, turn: UnbornTurn): Promise<TurnLease> {
  if (turn.start.take()) return turn;
  await turn.start.over;
  return findValidLease(TURN_LEASE, work, turn);
}

/** Stores the start before a commit that is too large to create the instance. Undefined if that fails. */
export async function storedForCommit(
  { memory }: Work,
  { start, secret }: UnbornTurn,
): Promise<TurnLease | undefined> {
  start.commitEnded("late");
  await start.over;
  return memory.heldTurns.get(secret);
}

async function commitUnborn<T>(
  work: Work,
  turn: UnbornTurn,
  attempt: (held: TurnLease) => Promise<Outcome<T>>,
): Promise<Settled<T>> {
  const { start } = turn;
  try {
    const outcome = await writeUnder(TURN_LEASE, work, turn, attempt);
    if (outcome.kind === "refused") throw ProviderError.lockLost(work.operation);
    start.commitEnded("committed");
    return outcome;
  } finally {
    // The call that waits for the start stores it, and the turn runs again.
    if (start.commitEnded("declined")) dropUnborn(work, turn);
  }
}

async function storedFirst(
  work: Work,
  turn: UnbornTurn,
  find: (kind: typeof TURN_LEASE, work: Work, turn: UnbornTurn) => Promise<TurnLease>,
): Promise<StoredTurn> {
  await turn.start.store();
  const lease = await find(TURN_LEASE, work, turn);
  if (lease.kind === "stored") return lease;
  throw ProviderError.lockLost(work.operation);
}

/**
 * Stores the start with a lock, under which the turn continues (unstored-start.T3): from here on its commit replaces the
 * instance and deletes the message, as that of any other turn.
 */
export async function storeUnborn(
  work: Work,
  lock: NewLock,
  row: NewRow<OrchestratorItem>,
  receipt?: Body,
): Promise<boolean> {
  const { instanceId, secret, body } = lock;
  const turn = work.memory.heldTurns.get(secret);
  work.memory.heldTurns.delete(secret);
  const created = [messageBody(row), ...(receipt === undefined ? [] : [receipt])];
  const operations = created.map((each): BatchOperation => ({ kind: "create", body: each }));
  const outcome = await work.batch(instanceId, [...operations, lockOperation(lock, undefined)]);
  const instance = outcome.ok
    ? writtenInstance(work.operation, instanceDocumentId(instanceId), body, outcome.etags.at(-1))
    : outcome.repeated
      ? await ownLock(work, lock)
      : undefined;
  if (instance === undefined || turn?.kind !== "unborn") return false;
  const { start: _, ...held } = turn;
  work.memory.heldTurns.set({ ...held, kind: "stored", instance });
  work.memory.instances.wrote(instanceId, newMessageRow(row));
  return true;
}
