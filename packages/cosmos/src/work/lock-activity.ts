/** Takes an activity: one conditional write of its row (docs/decisions/0013-cosmos-provider.md). */
import { type FetchedWork, type FetchWorkOptions, later } from "@duroxide-ts/core/stores";
import { type BatchOperation, written } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { toBody } from "../schema/body.ts";
import { type ActivityRow, toActivityRow } from "../schema/rows.ts";
import { claimSession, undoClaim } from "../sessions/claim-session.ts";
import { mirrorOperation } from "../sessions/mirror.ts";
import { isFresh } from "../store/held.ts";
import type { Store } from "../store/store.ts";
import { undoActivity } from "./give-back-activity.ts";
import { holdActivity, lockedBody } from "./hold-activity.ts";

/**
 * `taken`: somebody else was faster, or most of the lock's time was over when it was there. `elsewhere`: another worker
 * has the session, and may give it up.
 */
export type NotLocked = "taken" | "elsewhere";

export async function lockActivity(
  store: Store,
  call: Call,
  row: ActivityRow,
  options: FetchWorkOptions,
): Promise<FetchedWork | NotLocked> {
  const { session } = options;
  const sessionId = row.item.session_id;
  const claim =
    sessionId === undefined || session === undefined
      ? undefined
      : await claimSession(store, call, sessionId, row.document.instanceId, session);
  if (sessionId !== undefined && claim === undefined) return "elsewhere";
  const secret = store.random.uuid();
  const lockedUntilMs = later(store.clock.now(), options.lockTimeoutMs);
  const { instanceId } = row.document;
  const body = lockedBody(toBody(row.document), secret, lockedUntilMs);
  const lock: BatchOperation = { kind: "replace", id: row.id, body, ifMatch: row.etag };
  const mirror = claim === undefined ? [] : [mirrorOperation(instanceId, claim.owner)];
  const outcome = await store.requests.batch(call, instanceId, [lock, ...mirror]);
  const stored = outcome.ok
    ? { ...body, id: row.id, ...written(outcome.etags[0], row.rid) }
    : outcome.repeated
      ? await store.requests.read(call, instanceId, row.id)
      : undefined;
  if (stored === undefined || stored["lockToken"] !== secret) {
    if (claim !== undefined) await undoClaim(store, call, claim);
    return "taken";
  }
  const fetched = holdActivity(store, toActivityRow(stored), secret);
  if (isFresh({ lockedUntilMs }, options, store.clock.now())) return fetched;
  await undoActivity(store, call.operation, { instanceId, rowId: row.id, secret });
  return "taken";
}
