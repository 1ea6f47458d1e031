/**
 * The lock that a token names, if it is still that of the caller: what this process remembers, else what is stored.
 * A renewal may have come in between, of this process or another one; the lock is the same then, its ETag is not.
 */
import { ProviderError, saturatedNumber } from "@duroxide-ts/core";
import type { HeldTurn } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call } from "../service/call.ts";
import type { Service } from "../service/service.ts";
import type { InstanceToken } from "./lock-token.ts";
import { storedInstance } from "./stored-instance.ts";

/** Whether or not its time is over. */
export async function findTurn(
  service: Service,
  memory: Memory,
  call: Call,
  token: InstanceToken,
): Promise<HeldTurn> {
  const held = memory.heldTurns.get(token.secret) ?? (await readTurn(service, call, token));
  if (held === undefined) throw lost(service, memory, call, token);
  return held;
}

/** At its end a lock is over, even if nobody has taken the instance (docs/reference/provider-contract.md §4). */
export async function findValidTurn(
  service: Service,
  memory: Memory,
  call: Call,
  token: InstanceToken,
): Promise<HeldTurn> {
  const isValid = (turn: HeldTurn): boolean => turn.lockedUntilMs > service.clock.now();
  const remembered = memory.heldTurns.get(token.secret);
  if (remembered !== undefined && isValid(remembered)) return remembered;
  const stored = await readTurn(service, call, token);
  if (stored !== undefined && isValid(stored)) return stored;
  throw ProviderError.lockLost(call.operation);
}

/** After a write that was refused: the lock as it is stored now; throws where it is somebody else's. */
export async function findTurnAgain(
  service: Service,
  memory: Memory,
  call: Call,
  token: InstanceToken,
): Promise<HeldTurn> {
  const stored = await readTurn(service, call, token);
  if (stored === undefined) throw lost(service, memory, call, token);
  return stored;
}

async function readTurn(service: Service, call: Call, token: InstanceToken): Promise<HeldTurn | undefined> {
  const { instanceId, secret } = token;
  const instance = await storedInstance(service, call, instanceId);
  if (instance === undefined || instance.document.lockToken !== secret) return undefined;
  const rows = Object.entries(instance.notes.taken ?? {}).map(([id, attempts]) => ({ id, attempts }));
  const lockedUntilMs = saturatedNumber(instance.document.lockedUntil ?? 0);
  return { instanceId, secret, instance, rows, waitingSinceMs: service.clock.now(), lockedUntilMs };
}

/** What was remembered of it is of no use any more. */
function lost(
  service: Service,
  memory: Memory,
  call: Call,
  { instanceId, secret }: InstanceToken,
): ProviderError {
  if (memory.heldTurns.get(secret) !== undefined) {
    memory.heldTurns.delete(secret);
    memory.instances.forget(instanceId, service.clock.now());
  }
  return ProviderError.lockLost(call.operation);
}
