/**
 * Begins a turn: checks whether the candidate is eligible, locks it, and reads its history (docs/reference/
 * provider-contract.md §6). If this process has the instance in memory, the lock is the first request.
 */
import {
  type FetchedOrchestration,
  type FetchOrchestrationOptions,
  hasEnded,
  ProviderError,
  restartIn,
  saturatedNumber,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import { type Instance, statusOf } from "../documents/instance.ts";
import type { MessageRow } from "../documents/rows.ts";
import { actionsOf } from "../leases/actions-of.ts";
import { extendTurn } from "../leases/extend-turn.ts";
import { finishCommit, isCommitting } from "../leases/finish-commit.ts";
import type { LockRequest } from "../leases/new-lock.ts";
import { turnWithoutLock } from "../leases/remembered-turn.ts";
import { takeLock } from "../leases/take-lock.ts";
import { isFresh, type LockedTurn, type TurnLease } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import { FREE_MS, OTHER_VERSION_MS } from "../memory/waits.ts";
import { knowsOrchestration, reservedForHandlersUntilMs } from "./handler-reservation.ts";
import { loadHistory } from "./load-history.ts";
import { moveToDeadLetters } from "./move-to-dead-letters.ts";
import { readPartition } from "./partition.ts";
import { isHeldBy, suits, supports } from "./suits.ts";
import { toFetched } from "./to-fetched.ts";
import { unseenRows } from "./unseen-rows.ts";
import { hide, lacksContext, postpone } from "./without-context.ts";

/** The result for a candidate: a turn, or the time before which there is none. */
export interface Attempt {
  readonly fetched: FetchedOrchestration | undefined;
  /** Infinite if there is nothing to retry. */
  readonly againAtMs: number;
  /** The fetch lacks its version or its code: it is left to others until then, ms since the epoch. */
  readonly forOthersUntilMs?: number;
  /** Another process has the instance. */
  readonly isTaken?: boolean;
  /** The instance is to be started again, which the caller does before it tries again. */
  readonly restart?: DueRestart;
}

/** An instance that has ended, and a due start that starts it again (docs/decisions/limits.md). */
export interface DueRestart {
  readonly instance: Instance;
  readonly row: MessageRow;
  readonly start: WorkItemOf<"StartOrchestration">;
}

/** The longest lock of a turn whose beginning takes long, in lock timeouts. */
const MOST_TIMEOUTS = 10;

/** There is no message for a turn. A new message notifies the fetch. */
const NOTHING: Attempt = { fetched: undefined, againAtMs: Number.POSITIVE_INFINITY };

export async function lockInstance(
  work: Work,
  instanceId: string,
  options: FetchOrchestrationOptions,
): Promise<Attempt> {
  const known = work.memory.instances.get(instanceId);
  const isOurs = known !== undefined && known.heldUntilMs > work.clock.now();
  // A fetch without a poll timeout reads the store, unless the lock is in memory only.
  if (isOurs && (options.pollTimeoutMs > 0 || work.memory.heldTurns.remembered(instanceId) !== undefined))
    return NOTHING;
  const unseen = known?.instance && unseenRows(known, [...known.rows.values()], work.clock.now());
  if (known?.instance !== undefined && unseen?.length && suits(known.instance, unseen, options)) {
    const { lockTimeoutMs } = options;
    const request = { instanceId, instance: known.instance, rows: unseen, isRead: false, lockTimeoutMs };
    const turn = await lockOrNot(work, request, options);
    if (turn !== undefined) return handedOut(work, { turn, rows: unseen }, options);
  }
  work.memory.instances.forget(instanceId, work.clock.now());
  return lockUnknown(work, instanceId, options);
}

async function lockUnknown(
  work: Work,
  instanceId: string,
  options: FetchOrchestrationOptions,
): Promise<Attempt> {
  const { instance, rows, undecodable } = await readPartition(work, instanceId);
  if (instance !== undefined) {
    if (isCommitting(instance)) {
      const { instance: finished } = await finishCommit(work, instance);
      // If another process applies the commit, the fetch waits a moment.
      const pauseMs = finished === undefined ? FREE_MS : 0;
      return { fetched: undefined, againAtMs: work.clock.now() + pauseMs };
    }
    if (instance.notes.deletion !== undefined) return NOTHING;
    const busyUntilMs = lockedUntil(instance);
    if (busyUntilMs > work.clock.now()) return { fetched: undefined, againAtMs: busyUntilMs, isTaken: true };
    if (!supports(instance, options))
      return { ...NOTHING, forOthersUntilMs: work.clock.now() + OTHER_VERSION_MS };
  }
  const forOthersUntilMs = untilOthersHadIt(instance, rows, options, work.clock.now());
  if (forOthersUntilMs !== undefined) return { ...NOTHING, forOthersUntilMs };
  if (undecodable.length > 0) await moveToDeadLetters(work, instanceId, undecodable);
  if (instance?.notes.suspended !== undefined) {
    await hide(work, instanceId, rows);
    return NOTHING;
  }
  // A hidden message begins no turn, but a turn includes it.
  if (rows.every(({ visibleAtMs }) => visibleAtMs > work.clock.now())) return NOTHING;
  const restart = instance && dueRestart(instance, rows);
  if (restart !== undefined) return { fetched: undefined, againAtMs: work.clock.now(), restart };
  if (lacksContext(instance, rows)) {
    await postpone(work, instanceId, rows);
    return NOTHING;
  }
  const { lockTimeoutMs } = options;
  const request = { instanceId, instance, rows, isRead: true, lockTimeoutMs };
  const turn = await lockOrNot(work, request, options);
  return turn === undefined ? { ...NOTHING, isTaken: true } : handedOut(work, { turn, rows }, options);
}

function dueRestart(instance: Instance, rows: readonly MessageRow[]): DueRestart | undefined {
  if (!hasEnded(statusOf(instance).status) || instance.document.parentInstanceId !== null) return undefined;
  for (const row of rows) {
    const start = restartIn([row.item]);
    if (start !== undefined) return { instance, row, start };
  }
  return undefined;
}

/**
 * A caller that has the history in memory gets its turn without a lock in the store (docs/decisions/cosmos-turns.md).
 */
async function lockOrNot(
  work: Work,
  request: LockRequest,
  options: FetchOrchestrationOptions,
): Promise<TurnLease | undefined> {
  const { instance } = request;
  if (instance !== undefined && options.pollTimeoutMs > 0 && isHeldBy(options, instance)) {
    const turn = turnWithoutLock(work, { ...request, instance });
    if (turn !== undefined) return turn;
  }
  return takeLock(work, request);
}

/** The time until which a turn without code in this process is left to others. */
function untilOthersHadIt(
  instance: Instance | undefined,
  rows: readonly MessageRow[],
  options: FetchOrchestrationOptions,
  nowMs: number,
): number | undefined {
  if (rows.length === 0 || knowsOrchestration(options, instance, rows)) return undefined;
  const visibleSinceMs = Math.min(...rows.map(({ visibleAtMs }) => visibleAtMs));
  return reservedForHandlersUntilMs({ visibleSinceMs, blocked: instance?.notes.blocked }, nowMs);
}

async function handedOut(
  work: Work,
  locked: LockedTurn,
  options: FetchOrchestrationOptions,
): Promise<Attempt> {
  const fetched = await beginTurn(work, locked, options);
  return { fetched, againAtMs: fetched === undefined ? work.clock.now() : Number.POSITIVE_INFINITY };
}

/**
 * Turns a lock into the fetched turn. If so much of the lock's time is over that it may expire during the turn, because
 * the lock and the history waited for request units, the lock is extended: to begin anew would wait as long again, for
 * the price of all that was read. `undefined` if the lock is lost, or the fetch was called off.
 */
export async function beginTurn(
  work: Work,
  { turn, rows }: LockedTurn,
  options: FetchOrchestrationOptions,
): Promise<FetchedOrchestration | undefined> {
  const { instance, instanceId } = turn;
  try {
    const loaded = isHeldBy(options, instance) ? undefined : await loadHistory(work, instanceId, instance);
    const fresh = await freshTurn(work, turn, options);
    if (fresh === undefined) {
      await actionsOf(turn).undo(work);
      return undefined;
    }
    if (fresh.kind === "unborn") void fresh.start.handedOut();
    return toFetched(fresh, rows, loaded);
  } catch (error) {
    // A fetch that fails or is aborted leaves no lock.
    await actionsOf(turn).undo(work);
    throw error;
  }
}

/** Extends a lock that is nearly over. One that is not stored is not extended: a new one costs no request. */
async function freshTurn(
  work: Work,
  turn: TurnLease,
  options: FetchOrchestrationOptions,
): Promise<TurnLease | undefined> {
  const { clock } = work.service;
  const nowMs = clock.now();
  if (isFresh(turn, options, nowMs)) return turn;
  if (turn.kind !== "stored" || options.signal?.aborted === true) return undefined;
  const { lockTimeoutMs } = options;
  const tookMs = nowMs - (turn.lockedUntilMs - lockTimeoutMs);
  const durationMs = Math.min(MOST_TIMEOUTS * lockTimeoutMs, Math.max(lockTimeoutMs, 2 * tookMs));
  const extended = await extendTurn(work, turn, durationMs).catch(unlessLost);
  return extended !== undefined && isFresh(extended, options, clock.now()) ? extended : undefined;
}

function unlessLost(error: unknown): undefined {
  if (!ProviderError.is(error) || error.code !== "lock-lost") throw error;
}

function lockedUntil({ document }: Instance): number {
  return document.lockToken === null || document.lockedUntil === null
    ? 0
    : saturatedNumber(document.lockedUntil);
}
