/**
 * The records of executions that are not the current one. That of an ended execution is written from the instance document
 * when the next one begins (hazard W51). If a Rust process wrote the instance in between, our notes are removed and the
 * status may be that of an earlier execution. Then the record is made from the history.
 */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import { type Body, toBody } from "../documents/body.ts";
import { executionDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import type { Work } from "../memory/parts.ts";
import type { PreparedTurn } from "./prepared-turn.ts";
import { recordedExecution } from "./recorded-execution.ts";

/** Undefined if no turn of it was committed. */
export async function endedExecution(work: Work, { document, notes }: Instance): Promise<readonly Body[]> {
  const { instanceId, pinnedDuroxideVersionPacked } = document;
  if (notes.startedAt === undefined && document.orchestrationName === "") return [];
  const executionId = saturatedNumber(document.currentExecutionId);
  const head = {
    id: executionDocumentId(instanceId, executionId),
    instanceId,
    type: "execution",
    executionId,
  };
  const noted = {
    status: document.status,
    output: document.output,
    pinnedDuroxideVersionPacked,
    startedAt: notes.startedAt ?? null,
    completedAt: notes.completedAt ?? null,
    failure: notes.failure ?? null,
  };
  if (notes.startedAt !== undefined && notes.completedAt !== undefined) return [{ ...head, ...noted }];
  const { startedAtMs, end } = await recordedExecution(work, instanceId, executionId);
  const ended = end && {
    status: end.status,
    output: end.output,
    completedAt: end.atMs,
    failure: end.failure,
  };
  return [{ ...head, ...noted, startedAt: notes.startedAt ?? startedAtMs ?? null, ...ended }];
}

/**
 * A commit for an earlier execution: it changes the record of that execution, not the instance. The contract allows it
 * (docs/reference/provider-contract.md §7), although the runtime does not send one. Without a record, the execution is
 * taken to begin now.
 */
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
