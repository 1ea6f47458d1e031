/** Removes sessions that are over and that no activity waits for (docs/reference/provider-contract.md §11). */
import type { Stored } from "../documents/body.ts";
import { SESSIONS_PARTITION, sessionOwnerDocumentId, sessionPartition } from "../documents/ids.ts";
import { toOwner, toVouch } from "../documents/session.ts";
import type { PeerGroup } from "../fetching/membership/peer-group.ts";
import { isFirst } from "../fetching/membership/turns.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { ADMIN_TIMEOUT_MS, SWEEP_INTERVAL_MS } from "../memory/waits.ts";
import { spec } from "../service/spec.ts";

const OPERATION = "cleanupOrphanedSessions";

/** Sessions of each physical partition in one sweep; the next sweep removes the next ones. */
const MOST = 100;

/**
 * Also what Rust reads of a session in an instance, which nobody reads after the end of its lock. A session whose owner
 * has a vouch is removed only after it has been idle for long.
 */
const EXPIRED = `SELECT * FROM c WHERE c.type IN ('session_owner', 'session') AND c.lockedUntil < @now
  AND (NOT ARRAY_CONTAINS(@vouching, c.ownerId) OR c.lastActivity < @idle)`;

const VOUCHES = "SELECT * FROM c WHERE c.type = 'session_vouch' AND c.untilMs >= @now";

const WAITING = "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'worker_queue' AND c.sessionId = @session";

export async function cleanupOrphanedSessions(parts: Parts, peerGroup: PeerGroup): Promise<number> {
  const { clock } = parts.service;
  const work = new Work(parts, OPERATION, ADMIN_TIMEOUT_MS);
  const nowMs = clock.now();
  const vouches = (await work.query(SESSIONS_PARTITION, VOUCHES, { "@now": nowMs })).map(toVouch);
  const longestMs = Math.max(0, ...vouches.map(({ idleTimeoutMs, extendMs }) => idleTimeoutMs + extendMs));
  const expired = spec(EXPIRED, {
    "@now": nowMs,
    "@vouching": vouches.flatMap(({ owners }) => owners),
    "@idle": nowMs - longestMs,
  });
  const interval = Math.floor(clock.now() / SWEEP_INTERVAL_MS);
  const found = await work.inRanges(async (range) => {
    if (!isFirst(peerGroup, range, interval)) return [];
    const page = await work.rangePage<Stored>(range, expired, MOST, undefined);
    return page.results;
  });
  let removed = 0;
  for (const stored of found.flat()) {
    const { id: mirror, instanceId, _etag: ifMatch } = stored;
    if (stored["type"] === "session") {
      await work.batch(String(instanceId), [{ kind: "delete", id: mirror, ifMatch }]);
      continue;
    }
    const { sessionId, etag } = toOwner(stored);
    const counts = await work.queryAll<number>(WAITING, { "@session": sessionId });
    if (counts.some((count) => count > 0)) continue;
    const id = sessionOwnerDocumentId(sessionId);
    // A claim since then has changed the ETag (hazard W38).
    const outcome = await work.batch(sessionPartition(sessionId), [{ kind: "delete", id, ifMatch: etag }]);
    parts.memory.sessions.delete(sessionId);
    if (outcome.ok) removed++;
  }
  return removed;
}
