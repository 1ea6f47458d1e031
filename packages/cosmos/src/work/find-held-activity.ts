/**
 * The activity that a token names, if it is still locked by its holder: remembered here, else as stored. A renewal may
 * have come in between; the lock is the same then, its ETag is not.
 */
import { ProviderError, saturatedNumber } from "@duroxide-ts/core/stores";
import type { ActivityToken } from "../lock-token.ts";
import type { Call } from "../requests/call.ts";
import { toActivityRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";
import type { HeldActivity } from "./held-activity.ts";

/** Whether or not its time is over. */
export async function findActivity(store: Store, call: Call, token: ActivityToken): Promise<HeldActivity> {
  return store.activities.get(token.secret) ?? findActivityAgain(store, call, token);
}

/** At its end a lock is over, even if nobody has taken the activity. */
export async function findValidActivity(
  store: Store,
  call: Call,
  token: ActivityToken,
): Promise<HeldActivity> {
  const isValid = (held: HeldActivity): boolean => held.lockedUntilMs > store.clock.now();
  const remembered = store.activities.get(token.secret);
  if (remembered !== undefined && isValid(remembered)) return remembered;
  const stored = await readActivity(store, call, token);
  if (stored !== undefined && isValid(stored)) return stored;
  throw ProviderError.lockLost(call.operation);
}

/** As it is stored now; throws where the row is gone, or locked by somebody else. */
export async function findActivityAgain(
  store: Store,
  call: Call,
  token: ActivityToken,
): Promise<HeldActivity> {
  const stored = await readActivity(store, call, token);
  if (stored !== undefined) return stored;
  const held = store.activities.get(token.secret);
  store.activities.delete(token.secret);
  if (held !== undefined) store.ready.remove(held.row.id);
  throw ProviderError.lockLost(call.operation);
}

async function readActivity(
  store: Store,
  call: Call,
  { instanceId, rowId, secret }: ActivityToken,
): Promise<HeldActivity | undefined> {
  const stored = await store.requests.read(call, instanceId, rowId);
  if (stored === undefined || stored["lockToken"] !== secret) return undefined;
  const row = toActivityRow(stored);
  return { instanceId, secret, row, lockedUntilMs: saturatedNumber(row.document.lockedUntil ?? 0) };
}
