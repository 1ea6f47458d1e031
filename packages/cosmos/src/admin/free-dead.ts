/**
 * Frees the locks of processes of this machine that have ended (docs/decisions/crashes.md), once: with the first report
 * of a process that fetches. It reads the reports of the others, which say their processes; a container without a dead
 * one is asked nothing more.
 *
 * - free-dead.FD1: A freed lock is one whose time is over: tokens and attempts stay, so the next fetch counts the attempt
 *   as after any expired lock.
 * - free-dead.FD2: Each change is under the ETag of what was read: a late write of the dead process wins or is refused
 *   whole, and what it has extended is read again.
 * - free-dead.FD3: Sessions are free before the rows that need them, so that none is found in vain and left to others;
 *   shares of limits after them, so that what the dead process ran begins before what waited behind it. The report goes
 *   last, so that what fails is done again by the next process.
 */
import { holderOf, messageOf, type ProcessIdentity, secretsOf } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
import { WORKERS_PARTITION } from "../documents/ids.ts";
import { isRankedAt } from "../documents/ranked.ts";
import { dropShares } from "../limits/drop-shares.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { FREE_DEAD_MS } from "../memory/waits.ts";

const OPERATION = "freeDead";

const REPORTED = "SELECT c.id, c.process FROM c WHERE c.type = 'worker' AND IS_DEFINED(c.process)";

/** Locks beyond it end by their time, so that the delays of months are not read. */
const HORIZON_MS = 3_600_000;

const SESSIONS = `SELECT c.id, c.instanceId, c.type, c.visibleAt, c._etag FROM c WHERE
  (c.type = 'session_owner' AND c.lockedUntil > @now AND c.holder = @holder)
  OR (c.type = 'session_vouch' AND c.untilMs > @now AND c.holder = @holder)`;

const ROWS = `SELECT c.id, c.instanceId, c.type, c.visibleAt, c._etag FROM c WHERE
  (c.type = 'instance' AND c.lockedUntil > @now AND c.lockedUntil < @horizon AND STARTSWITH(c.lockToken, @secrets))
  OR (c.type = 'worker_queue' AND c.visibleAt > @now AND c.visibleAt < @horizon
    AND STARTSWITH(c.ownLockToken, @secrets))
  OR (c.type = 'worker_queue' AND c.lockedUntil > @now AND c.lockedUntil < @horizon
    AND STARTSWITH(c.ownLockToken, @secrets))`;

/** Each round ends what the one before could not. */
const ROUNDS = 3;

/** Requests at a time. */
const AT_A_TIME = 16;

interface Reported {
  readonly id: string;
  readonly process: ProcessIdentity;
}

interface Locked {
  readonly id: string;
  readonly instanceId: string;
  readonly type: string;
  readonly visibleAt: number;
  readonly _etag: string;
}

/** `onFreed` is called when locks were freed. What fails is a warning, because they end by their time. */
export async function freeDead(parts: Parts, onFreed: () => void): Promise<void> {
  const { service, memory } = parts;
  if (memory.hasLookedForDead || service.holder === undefined) return;
  memory.hasLookedForDead = true;
  try {
    if (await freeReported(new Work(parts, OPERATION, FREE_DEAD_MS))) onFreed();
  } catch (error) {
    const message = `the locks of processes that have ended are not freed, and end by themselves: ${messageOf(error)}`;
    service.warn(message, {});
  }
}

async function freeReported(work: Work): Promise<boolean> {
  const { processes } = work.service;
  const reported = await work.query<Reported>(WORKERS_PARTITION, REPORTED);
  const dead = reported.filter(({ process }) => processes.hasEnded(process));
  for (const [holder, reports] of Map.groupBy(dead, ({ process }) => holderOf(process))) {
    const areSessionsFree = await freeAll(work, SESSIONS, holder);
    work.memory.sessions.forgetHolder(holder);
    const areRowsFree = await freeAll(work, ROWS, holder);
    await dropShares(work, holder);
    if (!areSessionsFree || !areRowsFree) continue;
    await work.batch(
      WORKERS_PARTITION,
      reports.map(({ id }) => ({ kind: "delete", id })),
    );
  }
  return dead.length > 0;
}

/** Whether none is left. */
async function freeAll(work: Work, query: string, holder: string): Promise<boolean> {
  for (let round = 1; round <= ROUNDS; round++) {
    const nowMs = work.clock.now();
    const locked = await work.queryAll<Locked>(query, {
      "@now": nowMs,
      "@horizon": nowMs + HORIZON_MS,
      "@holder": holder,
      "@secrets": secretsOf(holder).from,
    });
    const left = [...locked];
    const freed: boolean[] = [];
    const free = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop())
        freed.push(await freeLock(work, next, nowMs));
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, free));
    if (freed.every(Boolean)) return true;
  }
  return false;
}

/** free-dead.FD2. */
async function freeLock(work: Work, locked: Locked, nowMs: number): Promise<boolean> {
  const { id, instanceId, _etag: ifMatch } = locked;
  const outcome = await work.batch(instanceId, [
    { kind: "set", id, values: endedAt(locked, nowMs), ifMatch },
  ]);
  return outcome.ok;
}

/** free-dead.FD1. */
function endedAt({ type, visibleAt }: Locked, nowMs: number): Body {
  if (type === "session_vouch") return { untilMs: nowMs };
  return type === "worker_queue" && !isRankedAt(visibleAt) ? { visibleAt: nowMs } : { lockedUntil: nowMs };
}
