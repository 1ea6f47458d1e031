/**
 * The log text for an orchestration without a handler here, and a program with which it can be cancelled. An instance
 * whose code no process has any more must be cancellable, or it would wait for ever.
 */
import type { FetchedOrchestration } from "../../contract/provider.ts";
import { meant } from "../../options/nearest-name.ts";
import type { Program } from "../../replay/code/program.ts";
import { asksToEnd, endsCleanUp } from "../../replay/history/cancellation.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import { NO_VERSION } from "../../wire/version.ts";
import type { Batch } from "../messages/batch.ts";
import type { OrchestrationRegistry } from "../registry.ts";

export interface MissingHandler {
  readonly detail: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function missingHandler(
  { item }: FetchedOrchestration,
  batch: Batch,
  index: HistoryIndex,
  registry: OrchestrationRegistry,
): MissingHandler {
  const { name, version } = wanted(batch, index);
  const registered = registry.versionsOf(name);
  const what = `orchestration ${JSON.stringify(name)}${version === null ? "" : ` ${version}`}`;
  const detail =
    registered.length === 0
      ? `${what} is not registered here${meant(name, registry.names)}; pass it to Runtime.start in orchestrations`
      : `${what} is not registered here, only ${registered.join(", ")}; register this version as well`;
  const fields = {
    instance_id: item.instanceId,
    orchestration_name: name,
    orchestration_version: version,
    registered,
  };
  return { detail, fields };
}

export function cancelRequested(
  { start, messages }: Batch,
  { cancelReason, started, cleansUp }: HistoryIndex,
): boolean {
  // The code cleans up: only a second cancellation does without it.
  if (cleansUp)
    return cancelReason !== undefined && messages.some((message) => endsCleanUp(message, cancelReason));
  const begun = start ?? started;
  return cancelReason !== undefined || messages.some((message) => asksToEnd(message, begun));
}

/** Replaces the missing handler in a turn that only cancels: it makes no calls and never returns. */
export function absentProgram(batch: Batch, index: HistoryIndex): Program {
  const { name, version } = wanted(batch, index);
  return {
    name,
    version: version ?? NO_VERSION,
    schema: undefined,
    handler: () => new Promise<never>(() => {}),
  };
}

function wanted(
  { start }: Batch,
  { started }: HistoryIndex,
): { readonly name: string; readonly version: string | null } {
  if (start !== undefined) return { name: start.orchestration, version: start.version };
  const { name = "unknown", version = NO_VERSION } = started ?? {};
  return { name, version: version === NO_VERSION ? null : version };
}
