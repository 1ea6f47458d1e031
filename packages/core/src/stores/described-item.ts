/** What a list of queue rows shows of a message or an activity. */
import type { QueuedWork } from "../contract/queries.ts";
import type { WorkItem } from "../wire/work-item.ts";

/** The kind of the item, and its name and event id where it has them. */
export function describedItem(item: WorkItem): Pick<QueuedWork, "item" | "name" | "eventId"> {
  const name = nameOf(item);
  const eventId = eventIdOf(item);
  return {
    item: item.kind,
    ...(name !== undefined && { name }),
    ...(eventId !== undefined && { eventId: Number(eventId) }),
  };
}

function nameOf(item: WorkItem): string | undefined {
  if ("orchestration" in item) return item.orchestration;
  return "name" in item ? item.name : undefined;
}

function eventIdOf(item: WorkItem): number | bigint | undefined {
  if ("id" in item) return item.id;
  return item.kind === "SubOrchCompleted" || item.kind === "SubOrchFailed" ? item.parent_id : undefined;
}
