/** Locks an activity: one conditional write of its row (docs/decisions/cosmos-turns.md). */
import { type FetchedWork, type FetchWorkOptions, later } from "@duroxide-ts/core/stores";
import { toBody } from "../documents/body.ts";
import { lockTokenOf } from "../documents/lean.ts";
import { rankedBy } from "../documents/ranked.ts";
import { type ActivityRow, toActivityRow } from "../documents/rows.ts";
import { isFresh } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import { written } from "../service/batch.ts";
import { claimSession, leaveToRust, undoClaim } from "./claim-session.ts";
import { undoActivity } from "./give-back-activity.ts";
import { holdActivity, lockedBody } from "./hold-activity.ts";
import { batchWithMirror, lasting } from "./session-mirror.ts";

/**
 * `taken`: another fetch locked it first, or most of the lock's time was over when the answer came. `elsewhere`: another
 * worker owns the session, and may release it. `held`: the limits of its key let none begin.
 */
export type NotLocked = "taken" | "elsewhere" | "held";

export async function lockActivity(
  work: Work,
  row: ActivityRow,
  options: FetchWorkOptions,
): Promise<FetchedWork | NotLocked> {
  const { session } = options;
  const sessionId = row.item.session_id;
  const claim =
    sessionId === undefined || session === undefined
      ? undefined
      : await claimSession(work, sessionId, row.document.instanceId, session);
  if (sessionId !== undefined && claim === undefined) return "elsewhere";
  const secret = work.service.lockSecret();
  const lockedUntilMs = later(work.clock.now(), options.lockTimeoutMs);
  const { instanceId } = row.document;
  const ranked = rankedBy(row.item);
  if (ranked !== undefined) {
    if (!work.memory.permits.begin(row.id, ranked.key, lockedUntilMs, work.clock.now())) return "held";
    work.memory.activities.ranked.served(row);
  }
  const body = lockedBody(toBody(row.document), secret, lockedUntilMs);
  const lock: BatchOperation = { kind: "replace", id: row.id, body, ifMatch: row.etag };
  const locking =
    claim === undefined
      ? { outcome: await work.batch(instanceId, [lock]) }
      : await batchWithMirror(work, instanceId, [lock], lasting(claim.owner, lockedUntilMs));
  if ("rust" in locking) {
    if (claim !== undefined) await leaveToRust(work, claim, locking.rust);
    return "elsewhere";
  }
  const { outcome } = locking;
  const stored = outcome.ok
    ? { ...body, id: row.id, ...written(outcome.etags[0], row.rid) }
    : outcome.repeated
      ? await work.read(instanceId, row.id)
      : undefined;
  if (stored === undefined || lockTokenOf(stored) !== secret) {
    if (ranked !== undefined) {
      work.memory.permits.undo(row.id);
      work.memory.activities.ranked.lost(work.clock.now());
    }
    if (claim !== undefined) await undoClaim(work, claim);
    return "taken";
  }
  const fetched = holdActivity(work, toActivityRow(stored), secret);
  const begin = ranked && work.memory.permits.beginOf(row.id, () => work.clock.now());
  if (isFresh({ lockedUntilMs }, options, work.clock.now()))
    return begin === undefined ? fetched : { ...fetched, begin };
  await undoActivity(work, { instanceId, rowId: row.id, secret });
  return "taken";
}
