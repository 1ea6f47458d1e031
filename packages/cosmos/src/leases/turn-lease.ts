/** The lease of an instance. The instance document contains its token and the messages of the turn. */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { StoredTurn, TurnLease } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import type { LeaseKind } from "./lease.ts";
import type { InstanceToken } from "./lock-token.ts";
import { storedInstance } from "./stored-instance.ts";

export const TURN_LEASE: LeaseKind<TurnLease, InstanceToken> = {
  held: ({ heldTurns }) => heldTurns,
  tokenOf: ({ instanceId, secret }) => ({ instanceId, secret }),
  read: readTurn,
  forget({ memory, clock }, { instanceId, kind }) {
    const nowMs = clock.now();
    memory.instances.forget(instanceId, nowMs);
    // The process that wrote first may have left messages that this process does not know.
    if (kind === "remembered") memory.instances.expect(instanceId, nowMs);
  },
};

export async function readTurn(
  work: Work,
  { instanceId, secret }: InstanceToken,
): Promise<StoredTurn | undefined> {
  const instance = await storedInstance(work, instanceId);
  if (instance === undefined || instance.document.lockToken !== secret) return undefined;
  const rows = Object.entries(instance.notes.taken ?? {}).map(([id, attempts]) => ({ id, attempts }));
  const lockedUntilMs = saturatedNumber(instance.document.lockedUntil ?? 0);
  const waitingSinceMs = work.clock.now();
  return { kind: "stored", instanceId, secret, instance, rows, waitingSinceMs, lockedUntilMs };
}
