/** Messages that notify parents that a child ended or could not begin (runtime-semantics §2.6, §2.7). */
import type { Provider } from "../../contract/provider.ts";
import { applicationFailure } from "../../errors/failure-details.ts";
import { type ParentNotice, parentNotice } from "../../replay/history/end-execution.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import type { Continue, Start } from "./batch.ts";

export type ChildOutcome = { readonly result: string } | { readonly details: ErrorDetails };

export async function noticeItem(
  provider: Provider,
  { instanceId, scheduleId, executionId }: ParentNotice,
  outcome: ChildOutcome,
): Promise<OrchestratorItem> {
  const address = {
    parent_instance: instanceId,
    parent_execution_id: executionId ?? (await newestExecution(provider, instanceId)),
    parent_id: scheduleId,
  };
  return "result" in outcome
    ? { kind: "SubOrchCompleted", ...address, result: outcome.result }
    : { kind: "SubOrchFailed", ...address, details: outcome.details };
}

/** Starts written by old runtimes do not name the execution of the parent. */
async function newestExecution(provider: Provider, instanceId: string): Promise<number> {
  const [first] = await provider.readHistory(instanceId);
  return Number(first?.execution_id ?? 1);
}

/**
 * Messages to the parents of starts whose instance id was taken. The very call that made the instance can arrive again
 * (Rust delivers starts without receipts): it gets the outcome of the instance. Every other call fails.
 */
export async function collisionItems(
  provider: Provider,
  refused: readonly Start[],
  index: HistoryIndex,
  beginning: Start | Continue | undefined,
): Promise<OrchestratorItem[]> {
  const ended = beginning === undefined ? finishedOutcome(index) : undefined;
  const items: OrchestratorItem[] = [];
  for (const start of refused) {
    const parent = parentOf(start);
    if (parent === undefined) continue;
    const outcome = isSameCall(parent, index, beginning) ? ended : collision(start, ended !== undefined);
    if (outcome !== undefined) items.push(await noticeItem(provider, parent, outcome));
  }
  return items;
}

function collision({ instance }: Start, hasEnded: boolean): ChildOutcome {
  const taken = `sub-orchestration instance id '${instance}' already exists`;
  return {
    details: applicationFailure("OrchestrationFailed", hasEnded ? `${taken} and is terminal` : taken),
  };
}

function parentOf(start: Start | Continue): ParentNotice | undefined {
  const { parent_instance: instanceId, parent_id: scheduleId, parent_execution_id: executionId } = start;
  if (instanceId === null || instanceId === undefined) return undefined;
  if (scheduleId === null || scheduleId === undefined) return undefined;
  return { instanceId, scheduleId, executionId };
}

export function isFinished(index: HistoryIndex): boolean {
  return finishedOutcome(index) !== undefined;
}

function finishedOutcome({ terminal }: HistoryIndex): ChildOutcome | undefined {
  if (terminal?.type === "OrchestrationCompleted") return { result: terminal.output };
  if (terminal?.type === "OrchestrationFailed") return { details: terminal.details };
  return undefined;
}

/**
 * Whether the start is a redelivery of the one that created this instance, or one by an earlier execution of its parent.
 * Without the executions, as from old runtimes, nothing proves that it is the same call.
 */
function isSameCall(
  sender: ParentNotice,
  index: HistoryIndex,
  beginning: Start | Continue | undefined,
): boolean {
  const own = beginning === undefined ? parentNotice(index) : parentOf(beginning);
  return (
    own !== undefined &&
    own.instanceId === sender.instanceId &&
    own.scheduleId === sender.scheduleId &&
    own.executionId !== undefined &&
    sender.executionId !== undefined &&
    sender.executionId <= own.executionId
  );
}
