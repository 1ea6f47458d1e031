/**
 * Decides whether a message arrived whose receipt may have expired (docs/decisions/cosmos-delivery.md): searches
 * the target for its row, then for the events that a turn makes of it. Of two concurrent deliveries, the receipt still
 * refuses one.
 */
import type { HistoryEvent } from "@duroxide-ts/core";
import { decodeEvent, decodeWorkItem, type WorkItem } from "@duroxide-ts/core/stores";
import type { Intent } from "../documents/intent.ts";
import { readNamed } from "../leases/read-instance.ts";
import type { Work } from "../memory/parts.ts";
import { OLD_INTENT_MS } from "../memory/waits.ts";

/** Whether the receipt of the message may have expired. */
export function isOld({ createdAt }: Intent, nowMs: number): boolean {
  return nowMs - createdAt > OLD_INTENT_MS;
}

export async function wasDelivered(work: Work, intent: Intent): Promise<boolean> {
  const { target, source, payload } = intent;
  // The row is read first, because a turn that takes the row writes the events.
  if ((await work.read(target, String(payload["id"]))) !== undefined) return true;
  const item = decodeWorkItem(String(payload["workItem"]));
  switch (item.kind) {
    case "StartOrchestration":
      // A child that has ended may have been deleted since.
      return (
        (await readNamed(work, target)) !== undefined ||
        (await hasEvent(work, source, "SubOrchestration", (event) => isAnswerTo(item, event)))
      );
    case "ExternalRaised":
    case "QueueMessage": {
      const sinceMs = intent.createdAt - CLOCKS_DIFFER_MS;
      return hasEvent(work, target, "ExternalEvent", (event) => isMadeOf(item, event), sinceMs);
    }
    default:
      // A second completion or cancellation changes nothing, and activities run at least once.
      return false;
  }
}

/** The most by which the clocks of sender and service may differ. */
const CLOCKS_DIFFER_MS = 300_000;

const EVENTS = `SELECT VALUE c.eventData FROM c
  WHERE c.type = 'history' AND c._ts >= @since AND CONTAINS(c.eventData, @type)`;

async function hasEvent(
  work: Work,
  instanceId: string,
  type: string,
  isIt: (event: HistoryEvent) => boolean,
  sinceMs = 0,
): Promise<boolean> {
  const events = await work.query<string>(instanceId, EVENTS, {
    "@type": `"${type}`,
    "@since": Math.floor(sinceMs / 1_000),
  });
  return events.some((text) => isIt(decodeEvent(text)));
}

function isAnswerTo(
  { parent_id, parent_execution_id }: Extract<WorkItem, { kind: "StartOrchestration" }>,
  event: HistoryEvent,
): boolean {
  const isAnswer = event.type === "SubOrchestrationCompleted" || event.type === "SubOrchestrationFailed";
  const isOfExecution = parent_execution_id === undefined || event.execution_id === parent_execution_id;
  return isAnswer && isOfExecution && parent_id !== null && event.source_event_id === parent_id;
}

/** Messages with the same content cannot be distinguished here; an old one is then not delivered again. */
function isMadeOf(
  item: Extract<WorkItem, { kind: "ExternalRaised" | "QueueMessage" }>,
  event: HistoryEvent,
): boolean {
  const type = item.kind === "ExternalRaised" ? "ExternalEvent" : "ExternalEventPersistent";
  return event.type === type && event.name === item.name && event.data === item.data;
}
