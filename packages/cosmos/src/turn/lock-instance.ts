/**
 * Begins a turn: the candidate is judged before anything is written, then locked, then its history is read
 * (docs/reference/provider-contract.md §6). Where this process knows the instance, the lock is the first request.
 */
import {
  type FetchedOrchestration,
  type FetchOrchestrationOptions,
  saturatedNumber,
} from "@duroxide-ts/core/stores";
import type { Call } from "../requests/call.ts";
import type { Instance } from "../schema/instance.ts";
import { finishCommit, isCommitting } from "../staging/finish-commit.ts";
import { isFresh } from "../store/held.ts";
import type { Store } from "../store/store.ts";
import { undoTurn } from "./give-back.ts";
import type { LockedTurn } from "./held-turn.ts";
import { loadHistory } from "./load-history.ts";
import { readPartition } from "./partition.ts";
import { putAside } from "./put-aside.ts";
import { suits } from "./suits.ts";
import { takeLock } from "./take-lock.ts";
import { toFetched } from "./to-fetched.ts";
import { unseenRows } from "./unseen-rows.ts";
import { lacksContext, postpone } from "./without-context.ts";

/** What came of a candidate: a turn, or nothing before the instant. */
export type Attempt =
  | { readonly fetched: FetchedOrchestration }
  | { readonly fetched: undefined; readonly againAtMs: number; readonly isForOthers?: boolean };

/** Nothing is there for a turn, and what comes will be noticed. */
const NOTHING: Attempt = { fetched: undefined, againAtMs: Number.POSITIVE_INFINITY };

/** Whoever asks does not support its version. */
const FOR_OTHERS: Attempt = { ...NOTHING, isForOthers: true };

export async function lockInstance(
  store: Store,
  call: Call,
  instanceId: string,
  options: FetchOrchestrationOptions,
): Promise<Attempt> {
  const known = store.knowledge.get(instanceId);
  const isOurs = known !== undefined && known.heldUntilMs > store.clock.now();
  // Who cannot wait asks the store, which knows it for sure.
  if (isOurs && options.pollTimeoutMs > 0) return NOTHING;
  const unseen = known?.instance && unseenRows(known, [...known.rows.values()], store.clock.now());
  if (known?.instance !== undefined && unseen?.length && suits(known.instance, options)) {
    const { lockTimeoutMs } = options;
    const request = { instanceId, instance: known.instance, rows: unseen, isRead: false, lockTimeoutMs };
    const turn = await takeLock(store, call, request);
    if (turn !== undefined) return handedOut(store, call, { turn, rows: unseen }, options);
  }
  store.knowledge.forget(instanceId, store.clock.now());
  return lockUnknown(store, call, instanceId, options);
}

async function lockUnknown(
  store: Store,
  call: Call,
  instanceId: string,
  options: FetchOrchestrationOptions,
): Promise<Attempt> {
  const { instance, rows, undecodable } = await readPartition(store, call, instanceId);
  if (instance !== undefined) {
    if (isCommitting(instance)) {
      await finishCommit(store, call, instance);
      return { fetched: undefined, againAtMs: store.clock.now() };
    }
    const busyUntilMs = lockedUntil(instance);
    if (busyUntilMs > store.clock.now()) return { fetched: undefined, againAtMs: busyUntilMs };
    if (instance.notes.deletion !== undefined) return NOTHING;
    if (!suits(instance, options)) return FOR_OTHERS;
  }
  if (undecodable.length > 0) await putAside(store, call, instanceId, undecodable);
  // What is hidden begins no turn, but is taken along by one.
  if (rows.every(({ visibleAtMs }) => visibleAtMs > store.clock.now())) return NOTHING;
  if (lacksContext(instance, rows)) {
    await postpone(store, call, instanceId, rows);
    return NOTHING;
  }
  const { lockTimeoutMs } = options;
  const turn = await takeLock(store, call, { instanceId, instance, rows, isRead: true, lockTimeoutMs });
  return turn === undefined ? NOTHING : handedOut(store, call, { turn, rows }, options);
}

async function handedOut(
  store: Store,
  call: Call,
  locked: LockedTurn,
  options: FetchOrchestrationOptions,
): Promise<Attempt> {
  const fetched = await toTurn(store, call, locked, options);
  return fetched === undefined ? { fetched, againAtMs: store.clock.now() } : { fetched };
}

/**
 * A lock that was taken becomes the turn that its caller works on. `undefined` where so much of its time is over that
 * somebody else might have it before the turn is done: it is given back, and the attempt does not count.
 */
export async function toTurn(
  store: Store,
  call: Call,
  { turn, rows }: LockedTurn,
  options: FetchOrchestrationOptions,
): Promise<FetchedOrchestration | undefined> {
  const { instance, instanceId } = turn;
  const heldTag = options.heldHistory?.(instanceId);
  // Without a name of its own the instance has that of its history.
  const isNamed = instance.document.orchestrationName !== "";
  const isHeld = isNamed && heldTag !== undefined && instance.notes.turns?.[0] === heldTag;
  try {
    const loaded = isHeld ? undefined : await loadHistory(store, call, instanceId, instance);
    if (isFresh(turn, options, store.clock.now())) return toFetched(turn, rows, loaded);
    await undoTurn(store, call.operation, turn);
    return undefined;
  } catch (error) {
    // A fetch that fails or is called off leaves no lock behind.
    await undoTurn(store, call.operation, turn);
    throw error;
  }
}

function lockedUntil({ document }: Instance): number {
  return document.lockToken === null || document.lockedUntil === null
    ? 0
    : saturatedNumber(document.lockedUntil);
}
