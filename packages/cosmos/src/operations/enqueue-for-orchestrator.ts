/**
 * Puts a message into an instance's queue; never creates the instance. The row has one id however often the request
 * is repeated, so a lost answer leaves one message (hazard W65).
 */
import type { OrchestratorItem } from "@duroxide-ts/core";
import { later, toDurationMs } from "@duroxide-ts/core/stores";
import { messageBody, toMessageRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";
import { toMessage } from "../turn/turn.ts";

const OPERATION = "enqueueForOrchestrator";

const PATIENCE_MS = 10_000;

export async function enqueueForOrchestrator(
  store: Store,
  item: OrchestratorItem,
  delayMs?: number,
): Promise<void> {
  const { instanceId } = toMessage(OPERATION, item);
  const hiddenForMs = toDurationMs(OPERATION, "delayMs", delayMs ?? 0);
  const { requests, clock, random } = store;
  const row = {
    id: random.uuid(),
    instanceId,
    item,
    visibleAtMs: later(clock.now(), hiddenForMs),
    enqueuedAtMs: clock.now(),
  };
  const body = messageBody(row);
  await requests.batch(requests.call(OPERATION, PATIENCE_MS), instanceId, [{ kind: "create", body }]);
  store.knowledge.wrote(instanceId, toMessageRow({ ...body, id: row.id, _etag: "" }));
  store.turnsWanted.notify();
}
