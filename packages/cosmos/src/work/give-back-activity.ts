/** Gives an activity back, to its place in the queue (docs/reference/provider-contract.md §8.1, §10). */
import { type BlockedReason, later } from "@duroxide-ts/core/stores";
import type { ActivityToken } from "../lock-token.ts";
import { type BatchOperation, type Body, written } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { blockedAgain } from "../schema/blocked.ts";
import { toBody } from "../schema/body.ts";
import { NOTES_FIELD } from "../schema/instance.ts";
import { type ActivityRow, notesOf, toActivityRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";
import { findActivity, findActivityAgain } from "./find-held-activity.ts";

export interface GiveBackOptions {
  readonly hiddenForMs: number;
  readonly ignoreAttempt: boolean;
  /** Why nobody here can go on with it; `as before` keeps what was noted. */
  readonly blocked: BlockedReason | "as before" | undefined;
}

/** `lock-lost` where it is somebody else's. */
export async function giveBackActivity(
  store: Store,
  call: Call,
  token: ActivityToken,
  { hiddenForMs, ignoreAttempt, blocked }: GiveBackOptions,
): Promise<void> {
  let held = await findActivity(store, call, token);
  for (;;) {
    const { instanceId, row } = held;
    const { attemptCount } = row.document;
    const nowMs = store.clock.now();
    const visibleAt = later(nowMs, hiddenForMs);
    const body: Body = {
      ...toBody(row.document),
      lockToken: null,
      lockedUntil: null,
      visibleAt,
      attemptCount: Math.max(0, attemptCount - (ignoreAttempt ? 1 : 0)),
      ...(blocked !== "as before" && notedBlocked(row, blocked, { nowMs, nextTryAtMs: visibleAt })),
    };
    const replace: BatchOperation = { kind: "replace", id: row.id, body, ifMatch: row.etag };
    const outcome = await store.requests.batch(call, instanceId, [replace]);
    // After a lost answer the lock is gone because this call has given it back.
    if (outcome.ok || outcome.repeated) {
      store.activities.delete(held.secret);
      if (outcome.ok)
        store.ready.add(toActivityRow({ ...body, id: row.id, ...written(outcome.etags[0], row.rid) }));
      else store.ready.remove(row.id);
      const isInVain = !ignoreAttempt || typeof blocked === "object";
      if (hiddenForMs > 0 && isInVain) store.activitiesLeft.add(row.id, visibleAt);
      break;
    }
    held = await findActivityAgain(store, call, token);
  }
  store.activitiesWanted.notify();
}

/** A row without notes stays without them. */
function notedBlocked(
  row: ActivityRow,
  reason: BlockedReason | undefined,
  times: { readonly nowMs: number; readonly nextTryAtMs: number },
): Body {
  const { blocked: before, ...notes } = notesOf(row.document);
  if (reason === undefined) return before === undefined ? {} : { [NOTES_FIELD]: notes };
  const blocked = { ...blockedAgain(before, reason, times), name: row.item.name };
  return { [NOTES_FIELD]: { ...notes, blocked } };
}

/** So long is tried what is only a courtesy: a lock that is not given back ends by itself. */
const UNDO_MS = 2_000;

/** As if it was never fetched: for a lock that nobody is there to use. */
export async function undoActivity(store: Store, operation: string, token: ActivityToken): Promise<void> {
  const call = store.requests.call(operation, UNDO_MS);
  const asBefore = { hiddenForMs: 0, ignoreAttempt: true, blocked: "as before" } as const;
  await giveBackActivity(store, call, token, asBefore).catch(() => undefined);
}
