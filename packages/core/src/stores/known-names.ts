/** Whether a fetch has the code of an orchestration (docs/reference/provider-contract.md §6, 2a). */
import type { FetchOrchestrationOptions } from "../contract/provider.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";

/** What a store knows of the instance; without a name before its first turn. */
export interface NamedInstance {
  readonly name: string | undefined;
  readonly hasEnded: boolean;
}

/**
 * The orchestration of a batch if the caller of the fetch does not have its code; `undefined` if it has, or if none is
 * needed: by a cancellation, and by an instance that has ended. The start of the next execution may name another
 * orchestration than the instance. A repeated start has no effect.
 */
export function missingOrchestration(
  { orchestrations }: Pick<FetchOrchestrationOptions, "orchestrations">,
  { name, hasEnded }: NamedInstance,
  messages: readonly OrchestratorItem[],
): string | undefined {
  if (orchestrations === undefined || hasEnded) return undefined;
  const wanted = nameAfter(name, messages);
  if (wanted === undefined || orchestrations.has(wanted)) return undefined;
  return messages.some(({ kind }) => kind === "CancelInstance") ? undefined : wanted;
}

function nameAfter(name: string | undefined, messages: readonly OrchestratorItem[]): string | undefined {
  for (const message of messages) {
    if (message.kind === "ContinueAsNew") return message.orchestration;
    if (message.kind === "StartOrchestration" && name === undefined) return message.orchestration;
  }
  return name;
}
