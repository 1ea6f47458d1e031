/** The orchestration of a batch of messages (docs/reference/provider-contract.md §6). */
import type { HistoryEvent } from "../wire/event.ts";
import type { OrchestratorItem, WorkItemOf } from "../wire/work-item.ts";

/** The name and the version of an orchestration. */
export interface OrchestrationName {
  readonly name: string;
  readonly version: string;
}

/**
 * The orchestration from the stored instance, else from the first event of its history, else from a start in the batch.
 */
export function orchestrationOf(
  known: OrchestrationName | undefined,
  history: readonly HistoryEvent[],
  messages: readonly OrchestratorItem[],
): OrchestrationName {
  if (known !== undefined) return { name: known.name, version: known.version };
  const [first] = history;
  if (first?.type === "OrchestrationStarted") return { name: first.name, version: first.version };
  const start = startIn(messages);
  return { name: start?.orchestration ?? "unknown", version: start?.version ?? "unknown" };
}

/** The message with which an execution begins. */
export function startIn(
  messages: readonly OrchestratorItem[],
): WorkItemOf<"StartOrchestration"> | WorkItemOf<"ContinueAsNew"> | undefined {
  return messages.find(
    (message) => message.kind === "StartOrchestration" || message.kind === "ContinueAsNew",
  );
}
