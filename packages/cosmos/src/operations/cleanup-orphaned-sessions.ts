/** Removes sessions that are over and that no activity waits for (docs/reference/provider-contract.md §11). */

import type { Stored } from "../documents/body.ts";
import { dispatchSlot } from "../documents/dispatch-slot.ts";
import { sessionOwnerDocumentId, sessionPartition } from "../documents/ids.ts";
import { type SessionOwner, toOwner } from "../documents/session.ts";
import type { SlotAssignment } from "../fetching/slots/slot-assignment.ts";
import type { Store } from "../memory/store.ts";

const OPERATION = "cleanupOrphanedSessions";

const PATIENCE_MS = 30_000;

/** So many from each physical partition at a time; the next sweep takes the next ones. */
const MOST = 100;

/** A session is swept by the process that has its slot; after so long by any. */
const HEAD_START_MS = 300_000;

const EXPIRED = "SELECT * FROM c WHERE c.type = 'session_owner' AND c.lockedUntil < @now";

const WAITING = "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'worker_queue' AND c.sessionId = @session";

export async function cleanupOrphanedSessions(store: Store, assignment: SlotAssignment): Promise<number> {
  const { service, clock } = store;
  const call = service.call(OPERATION, PATIENCE_MS);
  const parameters = [{ name: "@now", value: clock.now() }];
  const { results } = await service.pages<Stored>(call, { query: EXPIRED, parameters }, MOST);
  const slots = assignment.served("worker_queue");
  const isOurs = ({ sessionId, lockedUntilMs }: SessionOwner): boolean =>
    slots.has(dispatchSlot(sessionId)) || lockedUntilMs < clock.now() - HEAD_START_MS;
  let removed = 0;
  for (const { sessionId, etag } of results.map(toOwner).filter(isOurs)) {
    const counts = await service.queryAll<number>(call, {
      query: WAITING,
      parameters: [{ name: "@session", value: sessionId }],
    });
    if (counts.some((count) => count > 0)) continue;
    const id = sessionOwnerDocumentId(sessionId);
    // A claim since then has changed the ETag (hazard W38).
    const outcome = await service.batch(call, sessionPartition(sessionId), [
      { kind: "delete", id, ifMatch: etag },
    ]);
    store.sessions.delete(sessionId);
    if (outcome.ok) removed++;
  }
  return removed;
}
