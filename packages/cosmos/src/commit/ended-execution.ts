/**
 * The record of an execution, written when the next one begins, from the instance document (hazard W51). If a Rust
 * process wrote the instance in between, our notes are removed and the status may be that of an earlier execution. Then
 * the record is made from the history.
 */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
import { executionDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import type { Work } from "../memory/parts.ts";
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
