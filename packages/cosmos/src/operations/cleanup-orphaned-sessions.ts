/** Removes sessions that are over and that no activity waits for (docs/reference/provider-contract.md §11). */

import type { Stored } from "../documents/body.ts";
import { dispatchSlot } from "../documents/dispatch-slot.ts";
import { sessionOwnerDocumentId, sessionPartition } from "../documents/ids.ts";
import { type SessionOwner, toOwner } from "../documents/session.ts";
import type { SlotAssignment } from "../fetching/slots/slot-assignment.ts";
import type { Memory } from "../memory/memory.ts";
import { ADMIN_PATIENCE_MS, SESSION_HEAD_START_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "cleanupOrphanedSessions";

/** So many from each physical partition at a time; the next sweep takes the next ones. */
const MOST = 100;

const EXPIRED = "SELECT * FROM c WHERE c.type = 'session_owner' AND c.lockedUntil < @now";

const WAITING = "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'worker_queue' AND c.sessionId = @session";

export async function cleanupOrphanedSessions(
  service: Service,
  memory: Memory,
  assignment: SlotAssignment,
): Promise<number> {
  const { clock } = service;
  const call = service.call(OPERATION, ADMIN_PATIENCE_MS);
  const parameters = [{ name: "@now", value: clock.now() }];
  const pages = await call.inRanges((range) =>
    call.rangePage<Stored>(range, { query: EXPIRED, parameters }, MOST, undefined),
  );
  const results = pages.flatMap((page) => page.results);
  const slots = assignment.served("worker_queue");
  const isOurs = ({ sessionId, lockedUntilMs }: SessionOwner): boolean =>
    slots.has(dispatchSlot(sessionId)) || lockedUntilMs < clock.now() - SESSION_HEAD_START_MS;
  let removed = 0;
  for (const { sessionId, etag } of results.map(toOwner).filter(isOurs)) {
    const counts = await call.queryAll<number>({
      query: WAITING,
      parameters: [{ name: "@session", value: sessionId }],
    });
    if (counts.some((count) => count > 0)) continue;
    const id = sessionOwnerDocumentId(sessionId);
    // A claim since then has changed the ETag (hazard W38).
    const outcome = await call.batch(sessionPartition(sessionId), [{ kind: "delete", id, ifMatch: etag }]);
    memory.sessions.delete(sessionId);
    if (outcome.ok) removed++;
  }
  return removed;
}
