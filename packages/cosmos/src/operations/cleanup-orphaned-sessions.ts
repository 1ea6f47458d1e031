/** Removes sessions that are over and that no activity waits for (docs/reference/provider-contract.md §11). */
import type { Stored } from "../requests/requests.ts";
import { dispatchSlot } from "../schema/dispatch-slot.ts";
import { sessionOwnerDocumentId, sessionPartition } from "../schema/ids.ts";
import { type SessionOwner, toOwner } from "../sessions/claim-session.ts";
import type { Store } from "../store/store.ts";

const OPERATION = "cleanupOrphanedSessions";

const PATIENCE_MS = 30_000;

/** So many from each physical partition at a time; the next sweep takes the next ones. */
const MOST = 100;

/** A session is swept by the process that has its slot; after so long by any. */
const HEAD_START_MS = 300_000;

const EXPIRED = "SELECT * FROM c WHERE c.type = 'session_owner' AND c.lockedUntil < @now";

const WAITING = "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'worker_queue' AND c.sessionId = @session";

export async function cleanupOrphanedSessions(store: Store): Promise<number> {
  const { requests, clock, settings } = store;
  const call = requests.call(OPERATION, PATIENCE_MS);
  const parameters = [{ name: "@now", value: clock.now() }];
  const { results } = await requests.pages<Stored>(call, { query: EXPIRED, parameters }, MOST);
  const slots = settings.slots.served("worker_queue");
  const isOurs = ({ sessionId, lockedUntilMs }: SessionOwner): boolean =>
    slots.has(dispatchSlot(sessionId)) || lockedUntilMs < clock.now() - HEAD_START_MS;
  let removed = 0;
  for (const { sessionId, etag } of results.map(toOwner).filter(isOurs)) {
    const counts = await requests.queryAll<number>(call, {
      query: WAITING,
      parameters: [{ name: "@session", value: sessionId }],
    });
    if (counts.some((count) => count > 0)) continue;
    const id = sessionOwnerDocumentId(sessionId);
    // A claim since then has changed the ETag (hazard W38).
    const outcome = await requests.batch(call, sessionPartition(sessionId), [
      { kind: "delete", id, ifMatch: etag },
    ]);
    store.sessions.delete(sessionId);
    if (outcome.ok) removed++;
  }
  return removed;
}
