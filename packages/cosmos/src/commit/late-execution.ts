/**
 * A commit for an earlier execution: it changes the record of that execution, not the instance. The contract allows it
 * (docs/reference/provider-contract.md §7), although the runtime does not send one. Without a record, the execution is
 * taken to begin now.
 */
import { type Body, toBody } from "../documents/body.ts";
import { executionDocumentId } from "../documents/ids.ts";
import type { Work } from "../memory/parts.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

export async function lateExecution(
  work: Work,
  instanceId: string,
  { executionId, metadata, failure }: PreparedTurn,
): Promise<Body> {
  const id = executionDocumentId(instanceId, executionId);
  const stored = await work.read(instanceId, id);
  const nowMs = work.clock.now();
  const { status, output = null } = metadata;
  const begun = { status: "Running", output: null, startedAt: nowMs, completedAt: null, failure: null };
  const ended = { status, output, completedAt: nowMs, failure: failure ?? null };
  return {
    id,
    instanceId,
    type: "execution",
    executionId,
    ...(stored === undefined ? begun : toBody(stored)),
    ...(status !== undefined && ended),
  };
}
