/**
 * Begins a turn: the candidate is judged before anything is written, then locked, then its history is read
 * (docs/reference/provider-contract.md §6). Where this process knows the instance, the lock is the first request.
 */
import {
  type FetchedOrchestration,
  type FetchOrchestrationOptions,
  saturatedNumber,
} from "@duroxide-ts/core";
import type { Instance } from "../documents/instance.ts";
import { finishCommit, isCommitting } from "../leases/finish-commit.ts";
import { undoTurn } from "../leases/give-back-turn.ts";
import { takeLock } from "../leases/take-lock.ts";
import { isFresh, type LockedTurn } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call } from "../service/call.ts";
import type { Service } from "../service/service.ts";
import { loadHistory } from "./load-history.ts";
import { readPartition } from "./partition.ts";
import { putAside } from "./put-aside.ts";
import { suits } from "./suits.ts";
import { toFetched } from "./to-fetched.ts";
import { unseenRows } from "./unseen-rows.ts";
import { lacksContext, postpone } from "./without-context.ts";

/** What came of a candidate: a turn, or nothing before the instant. */
export interface Attempt {
  readonly fetched: FetchedOrchestration | undefined;
  /** Infinite where there is nothing to try again. */
  readonly againAtMs: number;
  /** The fetch does not support its version. */
  readonly isForOthers?: boolean;
}

/** Nothing is there for a turn, and what comes will be noticed. */
const NOTHING: Attempt = { fetched: undefined, againAtMs: Number.POSITIVE_INFINITY };

const FOR_OTHERS: Attempt = { ...NOTHING, isForOthers: true };

export async function lockInstance(
  service: Service,
  memory: Memory,
  call: Call,
  instanceId: string,
  options: FetchOrchestrationOptions,
): Promise<Attempt> {
  const known = memory.instances.get(instanceId);
  const isOurs = known !== undefined && known.heldUntilMs > service.clock.now();
  // Who cannot wait asks the store, which knows it for sure.
  if (isOurs && options.pollTimeoutMs > 0) return NOTHING;
  const unseen = known?.instance && unseenRows(known, [...known.rows.values()], service.clock.now());
  if (known?.instance !== undefined && unseen?.length && suits(known.instance, options)) {
    const { lockTimeoutMs } = options;
    const request = { instanceId, instance: known.instance, rows: unseen, isRead: false, lockTimeoutMs };
    const turn = await takeLock(service, memory, call, request);
    if (turn !== undefined) return handedOut(service, memory, call, { turn, rows: unseen }, options);
  }
  memory.instances.forget(instanceId, service.clock.now());
  return lockUnknown(service, memory, call, instanceId, options);
}

async function lockUnknown(
  service: Service,
  memory: Memory,
  call: Call,
  instanceId: string,
  options: FetchOrchestrationOptions,
): Promise<Attempt> {
  const { instance, rows, undecodable } = await readPartition(service, call, instanceId);
  if (instance !== undefined) {
    if (isCommitting(instance)) {
      await finishCommit(service, call, instance);
      return { fetched: undefined, againAtMs: service.clock.now() };
    }
    const busyUntilMs = lockedUntil(instance);
    if (busyUntilMs > service.clock.now()) return { fetched: undefined, againAtMs: busyUntilMs };
    if (instance.notes.deletion !== undefined) return NOTHING;
    if (!suits(instance, options)) return FOR_OTHERS;
  }
  if (undecodable.length > 0) await putAside(service, call, instanceId, undecodable);
  // What is hidden begins no turn, but is taken along by one.
  if (rows.every(({ visibleAtMs }) => visibleAtMs > service.clock.now())) return NOTHING;
  if (lacksContext(instance, rows)) {
    await postpone(service, call, instanceId, rows);
    return NOTHING;
  }
  const { lockTimeoutMs } = options;
  const turn = await takeLock(service, memory, call, {
    instanceId,
    instance,
    rows,
    isRead: true,
    lockTimeoutMs,
  });
  return turn === undefined ? NOTHING : handedOut(service, memory, call, { turn, rows }, options);
}

async function handedOut(
  service: Service,
  memory: Memory,
  call: Call,
  locked: LockedTurn,
  options: FetchOrchestrationOptions,
): Promise<Attempt> {
  const fetched = await beginTurn(service, memory, call, locked, options);
  return { fetched, againAtMs: fetched === undefined ? service.clock.now() : Number.POSITIVE_INFINITY };
}

/**
 * A lock that was taken becomes the turn that its caller works on. `undefined` where so much of its time is over that
 * somebody else might have it before the turn is done: it is given back, and the attempt does not count.
 */
export async function beginTurn(
  service: Service,
  memory: Memory,
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
    const loaded = isHeld ? undefined : await loadHistory(service, call, instanceId, instance);
    if (isFresh(turn, options, service.clock.now())) return toFetched(turn, rows, loaded);
    await undoTurn(service, memory, call.operation, turn);
    return undefined;
  } catch (error) {
    // A fetch that fails or is called off leaves no lock behind.
    await undoTurn(service, memory, call.operation, turn);
    throw error;
  }
}

function lockedUntil({ document }: Instance): number {
  return document.lockToken === null || document.lockedUntil === null
    ? 0
    : saturatedNumber(document.lockedUntil);
}
