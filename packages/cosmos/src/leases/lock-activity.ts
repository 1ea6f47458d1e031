/** Locks an activity: one conditional write of its row (docs/decisions/cosmos-turns.md). */
import { type FetchedWork, type FetchWorkOptions, later } from "@duroxide-ts/core/stores";
import { toBody } from "../documents/body.ts";
import { lockTokenOf } from "../documents/lean.ts";
import { type ActivityRow, toActivityRow } from "../documents/rows.ts";
import { isFresh } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import type { BatchOperation } from "../service/batch.ts";
import { written } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import { claimSession, leaveToRust, undoClaim } from "./claim-session.ts";
import { undoActivity } from "./give-back-activity.ts";
import { holdActivity, lockedBody } from "./hold-activity.ts";
import { batchWithMirror, lasting } from "./session-mirror.ts";

/**
 * `taken`: another fetch locked it first, or most of the lock's time was over when the answer came. `elsewhere`: another
 * worker owns the session, and may release it.
 */
export type NotLocked = "taken" | "elsewhere";

export async function lockActivity(
  memory: Memory,
  call: Call,
  row: ActivityRow,
  options: FetchWorkOptions,
): Promise<FetchedWork | NotLocked> {
  const { session } = options;
  const sessionId = row.item.session_id;
  const claim =
    sessionId === undefined || session === undefined
      ? undefined
      : await claimSession(memory, call, sessionId, row.document.instanceId, session);
  if (sessionId !== undefined && claim === undefined) return "elsewhere";
  const secret = call.service.random.uuid();
  const lockedUntilMs = later(call.service.clock.now(), options.lockTimeoutMs);
  const { instanceId } = row.document;
  const body = lockedBody(toBody(row.document), secret, lockedUntilMs);
  const lock: BatchOperation = { kind: "replace", id: row.id, body, ifMatch: row.etag };
  const locking =
    claim === undefined
      ? { outcome: await call.batch(instanceId, [lock]) }
      : await batchWithMirror(memory, call, instanceId, [lock], lasting(claim.owner, lockedUntilMs));
  if ("rust" in locking) {
    if (claim !== undefined) await leaveToRust(memory, call, claim, locking.rust);
    return "elsewhere";
  }
  const { outcome } = locking;
  const stored = outcome.ok
    ? { ...body, id: row.id, ...written(outcome.etags[0], row.rid) }
    : outcome.repeated
      ? await call.read(instanceId, row.id)
      : undefined;
  if (stored === undefined || lockTokenOf(stored) !== secret) {
    if (claim !== undefined) await undoClaim(memory, call, claim);
    return "taken";
  }
  const fetched = holdActivity(memory, toActivityRow(stored), secret);
  if (isFresh({ lockedUntilMs }, options, call.service.clock.now())) return fetched;
  await undoActivity(call.service, memory, call.operation, { instanceId, rowId: row.id, secret });
  return "taken";
}
