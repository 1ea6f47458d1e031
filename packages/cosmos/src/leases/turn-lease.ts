/** The lease of an instance. The instance document contains its token and the messages of the turn. */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { TurnLease } from "../memory/held.ts";
import type { LeaseKind } from "./lease.ts";
import type { InstanceToken } from "./lock-token.ts";
import { storedInstance } from "./stored-instance.ts";

export const TURN_LEASE: LeaseKind<TurnLease, InstanceToken> = {
  held: ({ heldTurns }) => heldTurns,
  tokenOf: ({ instanceId, secret }) => ({ instanceId, secret }),
  async read({ call }, { instanceId, secret }) {
    const instance = await storedInstance(call, instanceId);
    if (instance === undefined || instance.document.lockToken !== secret) return undefined;
    const rows = Object.entries(instance.notes.taken ?? {}).map(([id, attempts]) => ({ id, attempts }));
    const lockedUntilMs = saturatedNumber(instance.document.lockedUntil ?? 0);
    return { instanceId, secret, instance, rows, waitingSinceMs: call.service.clock.now(), lockedUntilMs };
  },
  forget({ memory, call }, { instanceId, isUnwritten }) {
    const nowMs = call.service.clock.now();
    memory.instances.forget(instanceId, nowMs);
    // The process that wrote first may have left messages that this process does not know.
    if (isUnwritten === true) memory.instances.expect(instanceId, nowMs);
  },
};
