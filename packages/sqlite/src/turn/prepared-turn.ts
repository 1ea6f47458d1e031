/** An acknowledgement, validated and encoded: all steps without the database run before it is queued. */
import {
  type ActivityId,
  cancelReason,
  checkStreamChange,
  type ExecutionMetadata,
  type FailureCategory,
  failureCategory,
  type StreamChange,
  saturatedNumber,
  type TimerId,
  type TurnContent,
  toDroppedTimers,
  toPositiveId,
} from "@duroxide-ts/core/stores";
import { type DecodedActivityRow, toActivityRow } from "../rows/activity-row.ts";
import { toInteger, toText } from "../rows/codec.ts";
import { type EventRow, toEventRows } from "../rows/event-row.ts";
import { type Message, toMessage } from "../rows/message-row.ts";

export interface PreparedTurn {
  readonly executionId: number;
  readonly events: readonly EventRow[];
  /** Whether ids grow from event to event, so that only the first id can collide with stored ones. */
  readonly ascending: boolean;
  readonly lastEventId: number;
  readonly activities: readonly DecodedActivityRow[];
  readonly messages: readonly Message[];
  /** Messages to return to the head of the instance's queue. */
  readonly returned: readonly Message[];
  readonly cancelled: readonly CancelledActivity[];
  readonly droppedTimers: readonly TimerId[];
  /** Changes of streams; absent if there are none. */
  readonly streams: readonly StreamChange[] | undefined;
  readonly metadata: ExecutionMetadata;
  /** Name and version, if the turn has both. */
  readonly name: TurnName | undefined;
  /** The event that sets the custom status. */
  readonly customStatus: { readonly status: string | null } | undefined;
  readonly changesKv: boolean;
  /** The last OrchestrationFailed, whose details are stored as the failure. */
  readonly failedEventId: number | null;
  /** The category of that failure, or of an end as `Failed` without details. */
  readonly failureCategory: FailureCategory | "unknown" | null;
  /** Time before which the code of the execution that the turn begins does not run, ms. */
  readonly startsAtMs: number | null;
}

export interface TurnName {
  readonly orchestration_name: string;
  readonly orchestration_version: string;
}

interface CancelledActivity {
  readonly instanceId: string;
  readonly executionId: number;
  readonly activityId: number;
}

export function toPreparedTurn(operation: string, ack: TurnContent): PreparedTurn {
  const events = toEventRows(operation, ack.historyDelta);
  const ids = events.map(({ eventId }) => eventId);
  return {
    executionId: toPositiveId(operation, "executionId", ack.executionId),
    events,
    ascending: ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0)),
    lastEventId: ids.reduce((last, id) => Math.max(last, id), 0),
    activities: ack.workerItems.map((item) => toActivityRow(operation, item)),
    messages: ack.orchestratorItems.map((item) => toMessage(operation, item)),
    returned: (ack.returnedMessages ?? []).map((item) => toMessage(operation, item)),
    cancelled: ack.cancelledActivities.map(toCancelledActivity),
    droppedTimers: toDroppedTimers(operation, ack),
    streams: ack.streams && toStreamChanges(operation, ack.streams),
    // Copied before it is queued, because the caller may change its object afterwards.
    metadata: { ...ack.metadata },
    name: toName(ack.metadata),
    ...effectsOf(events, ack.metadata),
  };
}

function toStreamChanges(operation: string, changes: readonly StreamChange[]): readonly StreamChange[] {
  for (const change of changes) checkStreamChange(operation, change);
  return changes.map((change) => ({ ...change, values: [...change.values] }));
}

function toName({ orchestrationName, orchestrationVersion }: ExecutionMetadata): TurnName | undefined {
  if (orchestrationName === undefined || orchestrationVersion === undefined) return undefined;
  return {
    orchestration_name: toText(orchestrationName),
    orchestration_version: toText(orchestrationVersion),
  };
}

/** Reads the few kinds of events that a provider may interpret (docs/reference/provider-contract.md §1). */
function effectsOf(
  events: readonly EventRow[],
  metadata: ExecutionMetadata,
): Pick<PreparedTurn, "customStatus" | "changesKv" | "failedEventId" | "failureCategory" | "startsAtMs"> {
  let customStatus: PreparedTurn["customStatus"];
  let changesKv = false;
  let failedEventId: number | null = null;
  let category = categoryWithoutDetails(metadata);
  let startsAtMs: number | null = null;
  for (const { event, eventId } of events) {
    if (event.type === "CustomStatusUpdated") customStatus = event;
    else if (event.type === "OrchestrationFailed") {
      failedEventId = eventId;
      category = failureCategory(event.details);
    } else if (event.type === "OrchestrationStarted") {
      if (event.start_at_ms !== undefined) startsAtMs = saturatedNumber(event.start_at_ms);
    } else if (event.type.startsWith("KeyValue")) changesKv = true;
  }
  return { customStatus, changesKv, failedEventId, failureCategory: category, startsAtMs };
}

function categoryWithoutDetails({
  status,
  output = null,
}: ExecutionMetadata): PreparedTurn["failureCategory"] {
  if (status !== "Failed") return null;
  return cancelReason({ output }) === undefined ? "unknown" : "cancelled";
}

function toCancelledActivity({ instanceId, executionId, activityId }: ActivityId): CancelledActivity {
  return {
    instanceId: toText(instanceId),
    executionId: toInteger(executionId),
    activityId: toInteger(activityId),
  };
}
