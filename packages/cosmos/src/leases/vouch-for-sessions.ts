/**
 * One document in which a process vouches for all sessions of its owners, instead of a write of each session
 * (docs/decisions/cosmos-finding-work.md).
 *
 * - vouch-for-sessions.V1: Another worker claims a session whose own lock is over only after it has read that the vouch
 *   of its owner is over, too, or does not cover the session.
 * - vouch-for-sessions.V2: A vouch continues the previous one only if its answer came before the end of that one,
 *   because a worker that has read the previous one may have claimed sessions since. Otherwise the process removes its
 *   sessions from memory and claims them again.
 */
import { later } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { SESSIONS_PARTITION, vouchDocumentId } from "../documents/ids.ts";
import { toVouch, type Vouch, vouchBody } from "../documents/session.ts";
import type { Parts, Work } from "../memory/parts.ts";
import type { StoredVouch } from "../memory/sessions.ts";
import type { BatchOperation } from "../service/batch.ts";

/** The most attempts; each may conflict with another write of the same vouch. */
const ATTEMPTS = 5;

/** An owner may be in several lists. Lists that ended long ago are removed. */
const OF_OWNER =
  "SELECT * FROM c WHERE c.type = 'session_vouch' AND c.untilMs > @since AND ARRAY_CONTAINS(c.owners, @owner)";
const LIVE = "SELECT * FROM c WHERE c.type = 'session_vouch' AND c.untilMs > @since";

export interface Renewal {
  readonly extendMs: number;
  readonly idleTimeoutMs: number;
}

/** Reads the vouch of a session's owner, before the session is claimed. */
export async function readVouch(work: Work, ownerId: string): Promise<void> {
  const stored = await work.query<Stored>(SESSIONS_PARTITION, OF_OWNER, {
    "@since": work.clock.now(),
    "@owner": ownerId,
  });
  work.memory.sessions.vouched([ownerId], longest(stored.map(toStoredVouch)));
}

/** Reads the vouches of owners that are not in memory. */
export async function readVouches(work: Work, owners: readonly string[]): Promise<void> {
  const vouches = (await work.query<Stored>(SESSIONS_PARTITION, LIVE, { "@since": work.clock.now() })).map(
    toStoredVouch,
  );
  for (const ownerId of owners) {
    const own = vouches.filter((vouch) => vouch.owners.includes(ownerId));
    work.memory.sessions.vouched([ownerId], longest(own));
  }
}

/** False if the sessions have to be extended one by one. */
export async function vouchForSessions(
  work: Work,
  ownerIds: readonly string[],
  renewal: Renewal,
): Promise<boolean> {
  const { clock } = work.service;
  const owners = [...new Set(ownerIds)].sort();
  const id = vouchDocumentId(owners);
  let before = work.memory.sessions.vouchOfList(id) ?? null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const nowMs = clock.now();
    const vouch = nextVouch(owners, before, renewal, nowMs);
    if (vouch === undefined) return false;
    const body = vouchBody({ ...vouch, holder: work.service.holder });
    const operation: BatchOperation =
      before === null ? { kind: "create", body } : { kind: "replace", id, body, ifMatch: before.etag };
    const outcome = await work.batch(SESSIONS_PARTITION, [operation]);
    if (outcome.ok) {
      const stored = { ...vouch, etag: outcome.etags[0] ?? "" };
      work.memory.sessions.vouched(owners, stored, id);
      const wentOn = vouch.fromMs < nowMs;
      if (wentOn && clock.now() >= (before?.untilMs ?? 0)) forgetVouched(work, owners, clock.now());
      return true;
    }
    const found = await work.read(SESSIONS_PARTITION, id);
    before = found === undefined ? null : toStoredVouch(found);
  }
  return false;
}

function toStoredVouch(stored: Stored): StoredVouch {
  return { ...toVouch(stored), etag: stored._etag };
}

function longest(vouches: readonly StoredVouch[]): StoredVouch | null {
  return vouches.toSorted((a, b) => b.untilMs - a.untilMs)[0] ?? null;
}

/** Undefined if it would end before the stored one. */
function nextVouch(
  owners: readonly string[],
  before: Vouch | null,
  { extendMs, idleTimeoutMs }: Renewal,
  nowMs: number,
): Vouch | undefined {
  const vouch = { owners, atMs: nowMs, untilMs: later(nowMs, extendMs), extendMs, idleTimeoutMs };
  if (before === null || before.untilMs <= nowMs || before.atMs > nowMs)
    return { ...vouch, fromMs: nowMs, gapMs: 0 };
  if (vouch.untilMs < before.untilMs) return undefined;
  return { ...vouch, fromMs: before.fromMs, gapMs: Math.max(before.gapMs, nowMs - before.atMs) };
}

/** The sessions whose own lock is over. */
function forgetVouched({ memory }: Parts, owners: readonly string[], nowMs: number): void {
  for (const owner of memory.sessions.values()) {
    const isOfThese = owners.includes(owner.ownerId);
    if (isOfThese && owner.lockedUntilMs <= nowMs) memory.sessions.delete(owner.sessionId);
  }
}
