/** Extends a valid lock: one write of the instance document (docs/reference/provider-contract.md §8). */

import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { parseInstanceToken } from "../lock-token.ts";
import type { BatchOperation, Body } from "../requests/batch.ts";
import { toBody } from "../schema/body.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { writtenInstance } from "../schema/instance.ts";
import type { Store } from "../store/store.ts";
import { findTurnAgain, findValidTurn } from "../turn/find-held-turn.ts";

const OPERATION = "renewOrchestrationItemLock";

export async function renewOrchestrationItemLock(
  store: Store,
  lockToken: string,
  extendMs: number,
): Promise<void> {
  const token = parseInstanceToken(OPERATION, lockToken);
  const durationMs = toDurationMs(OPERATION, "extendMs", extendMs);
  const { requests, clock } = store;
  let held = await findValidTurn(store, requests.call(OPERATION, 1_000), token);
  const call = requests.call(OPERATION, held.lockedUntilMs - clock.now());
  for (;;) {
    const { instance, instanceId } = held;
    const lockedUntilMs = Math.max(held.lockedUntilMs, later(clock.now(), durationMs));
    const id = instanceDocumentId(instanceId);
    const body: Body = { ...toBody(instance.document), lockedUntil: lockedUntilMs };
    const replace: BatchOperation = { kind: "replace", id, body, ifMatch: instance.etag };
    const outcome = await requests.batch(call, instanceId, [replace]);
    if (outcome.ok) {
      const renewed = writtenInstance(OPERATION, id, body, outcome.etags[0]);
      store.turns.set({ ...held, instance: renewed, lockedUntilMs });
      store.knowledge.holds(instanceId, lockedUntilMs);
      return;
    }
    held = await findTurnAgain(store, call, token);
  }
}
