/** The tags of an instance, as its history has them. */
import type { HistoryEvent } from "./event.ts";
import { NO_TAGS, type Tags } from "./tags.ts";

/** The tags after an event: those at the beginning of its execution, or of the turn that the event ends. */
export function tagsAfter(before: Tags, event: HistoryEvent): Tags {
  if (event.tags_after !== undefined) return event.tags_after;
  return event.type === "OrchestrationStarted" ? (event.tags ?? NO_TAGS) : before;
}

/** The tags of an instance whose current execution has these events. */
export function tagsOfHistory(events: readonly HistoryEvent[]): Tags {
  return events.reduce(tagsAfter, NO_TAGS);
}
