/** The warning of a store that drops queue messages sent before the start (docs/reference/provider-contract.md §6). */
import type { OrchestratorItem } from "../wire/work-item.ts";

/** The most queues that a warning names. */
const MOST_NAMES = 5;

/** The text of the warning: how many messages, of which queues, and what to do. */
export function droppedBeforeStart(messages: readonly OrchestratorItem[]): string {
  const names = new Set(
    messages.map((message) => (message.kind === "QueueMessage" ? message.name : message.kind)),
  );
  const shown = [...names].slice(0, MOST_NAMES).map((name) => JSON.stringify(name));
  const more = names.size > MOST_NAMES ? ", …" : "";
  return `Dropped ${messages.length} queue message(s) sent before the instance was started (${shown.join(", ")}${more}); start it first`;
}
