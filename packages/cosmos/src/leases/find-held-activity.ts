/**
 * The activity that a token names, if it is still locked by its holder: remembered here, else as stored. A renewal may
 * have come in between; the lock is the same then, its ETag is not.
 */
import { ProviderError, saturatedNumber } from "@duroxide-ts/core";
import { toActivityRow } from "../documents/rows.ts";
import type { HeldActivity } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call } from "../service/call.ts";
import type { Service } from "../service/service.ts";
import type { ActivityToken } from "./lock-token.ts";

/** Whether or not its time is over. */
export async function findActivity(
  service: Service,
  memory: Memory,
  call: Call,
  token: ActivityToken,
): Promise<HeldActivity> {
  return memory.heldActivities.get(token.secret) ?? findActivityAgain(service, memory, call, token);
}

/** At its end a lock is over, even if nobody has taken the activity. */
export async function findValidActivity(
  service: Service,
  memory: Memory,
  call: Call,
  token: ActivityToken,
): Promise<HeldActivity> {
  const isValid = (held: HeldActivity): boolean => held.lockedUntilMs > service.clock.now();
  const remembered = memory.heldActivities.get(token.secret);
  if (remembered !== undefined && isValid(remembered)) return remembered;
  const stored = await readActivity(service, call, token);
  if (stored !== undefined && isValid(stored)) return stored;
  throw ProviderError.lockLost(call.operation);
}

/** As it is stored now; throws where the row is gone, or locked by somebody else. */
export async function findActivityAgain(
  service: Service,
  memory: Memory,
  call: Call,
  token: ActivityToken,
): Promise<HeldActivity> {
  const stored = await readActivity(service, call, token);
  if (stored !== undefined) return stored;
  const held = memory.heldActivities.get(token.secret);
  memory.heldActivities.delete(token.secret);
  if (held !== undefined) memory.activities.remove(held.row.id);
  throw ProviderError.lockLost(call.operation);
}

async function readActivity(
  service: Service,
  call: Call,
  { instanceId, rowId, secret }: ActivityToken,
): Promise<HeldActivity | undefined> {
  const stored = await service.read(call, instanceId, rowId);
  if (stored === undefined || stored["lockToken"] !== secret) return undefined;
  const row = toActivityRow(stored);
  return { instanceId, secret, row, lockedUntilMs: saturatedNumber(row.document.lockedUntil ?? 0) };
}
