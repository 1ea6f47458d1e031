/** Removes sessions that are over and that no activity waits for (docs/reference/provider-contract.md §11). */
import type { Stored } from "../requests/requests.ts";
import { sessionOwnerDocumentId, sessionPartition } from "../schema/ids.ts";
import { toOwner } from "../sessions/claim-session.ts";
import type { Store } from "../store/store.ts";

const OPERATION = "cleanupOrphanedSessions";

const PATIENCE_MS = 30_000;

/** So many from each physical partition at a time; the next sweep takes the next ones. */
const MOST = 100;

const EXPIRED = "SELECT * FROM c WHERE c.type = 'session_owner' AND c.lockedUntil < @now";

const WAITING = "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'worker_queue' AND c.sessionId = @session";

export async function cleanupOrphanedSessions(store: Store): Promise<number> {
  const { requests, clock } = store;
  const call = requests.call(OPERATION, PATIENCE_MS);
  const parameters = [{ name: "@now", value: clock.now() }];
  const { results } = await requests.pages<Stored>(call, { query: EXPIRED, parameters }, MOST);
  let removed = 0;
  for (const { sessionId, etag } of results.map(toOwner)) {
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
