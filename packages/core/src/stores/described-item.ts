/** The data of a message or an activity in a list of queue rows. */
import type { QueuedWork } from "../contract/queries.ts";
import { saturatedNumber } from "../wire/integer.ts";
import type { WorkItem } from "../wire/work-item.ts";

/** The part of a listed row that derives from its item. */
type Described = Pick<QueuedWork, "item" | "name" | "eventId" | "executionId" | "startsAtMs">;

/** The kind of the item, and its name and ids if it has them. Lists contain a row that `decode` rejects, too. */
export function describedText(text: string, decode: (text: string) => WorkItem): Described {
  try {
    return describedItem(decode(text));
  } catch {
    return { item: "unreadable" };
  }
}

function describedItem(item: WorkItem): Described {
  const name = nameOf(item);
  const eventId = eventIdOf(item);
  const startsAtMs = item.kind === "StartOrchestration" ? item.start_at_ms : undefined;
  return {
    item: item.kind,
    ...(name !== undefined && { name }),
    ...(eventId !== undefined && { eventId: Number(eventId) }),
    ...("execution_id" in item && { executionId: Number(item.execution_id) }),
    ...(startsAtMs !== undefined && { startsAtMs: saturatedNumber(startsAtMs) }),
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
