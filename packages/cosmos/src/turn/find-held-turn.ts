/**
 * The lock that a token names, if it is still that of the caller: what this process remembers, else what is stored.
 * A renewal may have come in between, of this process or another one; the lock is the same then, its ETag is not.
 */
import { ProviderError, saturatedNumber } from "@duroxide-ts/core/stores";
import type { InstanceToken } from "../lock-token.ts";
import type { Call } from "../requests/call.ts";
import type { Store } from "../store/store.ts";
import { storedInstance } from "../store/stored-instance.ts";
import type { HeldTurn } from "./held-turn.ts";

/** Whether or not its time is over. */
export async function findTurn(store: Store, call: Call, token: InstanceToken): Promise<HeldTurn> {
  const held = store.turns.get(token.secret) ?? (await readTurn(store, call, token));
  if (held === undefined) throw lost(store, call, token);
  return held;
}

/** At its end a lock is over, even if nobody has taken the instance (docs/reference/provider-contract.md §4). */
export async function findValidTurn(store: Store, call: Call, token: InstanceToken): Promise<HeldTurn> {
  const isValid = (turn: HeldTurn): boolean => turn.lockedUntilMs > store.clock.now();
  const remembered = store.turns.get(token.secret);
  if (remembered !== undefined && isValid(remembered)) return remembered;
  const stored = await readTurn(store, call, token);
  if (stored !== undefined && isValid(stored)) return stored;
  throw ProviderError.lockLost(call.operation);
}

/** After a write that was refused: the lock as it is stored now; throws where it is somebody else's. */
export async function findTurnAgain(store: Store, call: Call, token: InstanceToken): Promise<HeldTurn> {
  const stored = await readTurn(store, call, token);
  if (stored === undefined) throw lost(store, call, token);
  return stored;
}

async function readTurn(store: Store, call: Call, token: InstanceToken): Promise<HeldTurn | undefined> {
  const { instanceId, secret } = token;
  const instance = await storedInstance(store, call, instanceId);
  if (instance === undefined || instance.document.lockToken !== secret) return undefined;
  const rows = Object.entries(instance.notes.taken ?? {}).map(([id, attempts]) => ({ id, attempts }));
  const lockedUntilMs = saturatedNumber(instance.document.lockedUntil ?? 0);
  return { instanceId, secret, instance, rows, waitingSinceMs: store.clock.now(), lockedUntilMs };
}

/** What was remembered of it is of no use any more. */
function lost(store: Store, call: Call, { instanceId, secret }: InstanceToken): ProviderError {
  if (store.turns.get(secret) !== undefined) {
    store.turns.delete(secret);
    store.knowledge.forget(instanceId, store.clock.now());
  }
  return ProviderError.lockLost(call.operation);
}
