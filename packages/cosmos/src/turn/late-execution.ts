/** A commit for an execution that is not the current one any more: its record takes what the instance must not. */
import type { BatchOperation } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { toBody } from "../schema/body.ts";
import { executionDocumentId } from "../schema/ids.ts";
import type { Store } from "../store/store.ts";
import type { Turn } from "./turn.ts";

export async function lateExecution(
  store: Store,
  call: Call,
  instanceId: string,
  { executionId, metadata, failure }: Turn,
): Promise<BatchOperation> {
  const id = executionDocumentId(instanceId, executionId);
  const stored = await store.requests.read(call, instanceId, id);
  const nowMs = store.clock.now();
  const { status, output = null } = metadata;
  const begun = { status: "Running", output: null, startedAt: nowMs, completedAt: null, failure: null };
  const ended = { status, output, completedAt: nowMs, failure: failure ?? null };
  const body = {
    id,
    instanceId,
    type: "execution",
    executionId,
    ...(stored === undefined ? begun : toBody(stored)),
    ...(status !== undefined && ended),
  };
  return { kind: "upsert", body };
}
