/** Validates an acknowledgement, before the first request. */
import {
  type ActivityExecute,
  type ActivityId,
  checkStreamChange,
  dueMsOf,
  type ExecutionMetadata,
  encodeErrorDetails,
  invalidInput,
  type OrchestrationAck,
  type OrchestratorItem,
  type StreamChange,
  saturatedNumber,
  type TimerId,
  type TurnContent,
  targetInstance,
  toDroppedTimers,
  toPositiveId,
  type U64,
} from "@duroxide-ts/core/stores";
import { checkWorkItem, toEventRows } from "../documents/encode.ts";
import { headOfQueueMs } from "../documents/head-of-queue.ts";
import type { EventRow } from "../documents/history.ts";
import { type InstanceToken, parseInstanceToken } from "../leases/lock-token.ts";

export interface PreparedTurn {
  readonly token: InstanceToken;
  readonly executionId: number;
  readonly events: readonly EventRow[];
  readonly activities: readonly ActivityExecute[];
  readonly messages: readonly TurnMessage[];
  readonly cancelled: readonly ActivityId[];
  readonly droppedTimers: readonly TimerId[];
  readonly metadata: ExecutionMetadata;
  /** Changes of streams; absent if there are none. */
  readonly streams: readonly StreamChange[] | undefined;
  /** The event that decides the custom status, if there is one. */
  readonly customStatus: { readonly status: string | null } | undefined;
  readonly changesKv: boolean;
  /** ErrorDetails as JSON text, if the turn ends in a failure. */
  readonly failure: string | undefined;
  /** Time before which the code of the execution that the turn begins does not run, ms since the epoch. */
  readonly startsAtMs: number | undefined;
}

export interface TurnMessage {
  readonly instanceId: string;
  readonly item: OrchestratorItem;
  /** `undefined`: visible at once. */
  readonly visibleAtMs: number | undefined;
  /** Its place in the queue; undefined for the place of a new message. */
  readonly enqueuedAtMs?: number;
}

export function turnOfAck(operation: string, ack: OrchestrationAck): PreparedTurn {
  return toPreparedTurn(operation, ack, parseInstanceToken(operation, ack.lockToken));
}

/** `token` names the instance, and the turn from now on. `byHand`: it may return messages whatever it ends as. */
export function toPreparedTurn(
  operation: string,
  ack: TurnContent,
  token: InstanceToken,
  byHand = false,
): PreparedTurn {
  const events = toEventRows(operation, ack.historyDelta);
  for (const item of ack.workerItems) {
    if (item.kind !== "ActivityExecute")
      throw invalidInput(operation, "workerItems take an ActivityExecute only");
    checkWorkItem(operation, item);
  }
  const executionId = toPositiveId(operation, "executionId", ack.executionId);
  return {
    token,
    executionId,
    events,
    activities: ack.workerItems,
    messages: [
      ...returnedMessages(operation, ack, token.instanceId, byHand),
      ...ack.orchestratorItems.map((item) => toMessage(operation, item)),
    ],
    cancelled: ack.cancelledActivities,
    droppedTimers: toDroppedTimers(operation, ack),
    // The caller may change its array while requests are under way.
    metadata: { ...ack.metadata },
    streams: ack.streams?.map((change) => checkedChange(operation, change)),
    ...effectsOf(events),
  };
}

function checkedChange(operation: string, change: StreamChange): StreamChange {
  checkStreamChange(operation, change);
  return { ...change, values: [...change.values] };
}

/** Returned messages keep their order and precede all others in the queue. */
function returnedMessages(
  operation: string,
  { returnedMessages: items = [], metadata, executionId }: TurnContent,
  instanceId: string,
  byHand: boolean,
): readonly TurnMessage[] {
  if (!byHand && items.length > 0 && metadata.status !== "ContinuedAsNew") {
    throw invalidInput(operation, "returnedMessages are for an execution that ends as ContinuedAsNew");
  }
  return items.map((item, index) => {
    const message = toMessage(operation, item);
    if (item.kind !== "QueueMessage" || message.instanceId !== instanceId) {
      throw invalidInput(operation, "returnedMessages take a QueueMessage for the same instance only");
    }
    return { ...message, enqueuedAtMs: headOfQueueMs(executionId, index) };
  });
}

/** Refuses an activity, which belongs in the other queue. */
export function toMessage(operation: string, item: OrchestratorItem): TurnMessage {
  checkWorkItem(operation, item);
  return {
    instanceId: messageTarget(operation, item),
    item,
    visibleAtMs: dueMsOf(item),
  };
}

export function messageTarget(operation: string, item: OrchestratorItem): string {
  if ((item.kind as string) !== "ActivityExecute") return targetInstance(item).toWellFormed();
  throw invalidInput(operation, "an ActivityExecute belongs in the worker queue; use enqueueForWorker");
}

/** The few kinds of events that a provider may look at (docs/reference/provider-contract.md §1). */
function effectsOf(
  events: readonly EventRow[],
): Pick<PreparedTurn, "customStatus" | "changesKv" | "failure" | "startsAtMs"> {
  let customStatus: PreparedTurn["customStatus"];
  let changesKv = false;
  let failure: string | undefined;
  let startsAtMs: number | undefined;
  for (const { event } of events) {
    if (event.type === "CustomStatusUpdated") customStatus = { status: event.status };
    else if (event.type === "OrchestrationFailed") failure = encodeErrorDetails(event.details);
    else if (event.type === "OrchestrationStarted") startsAtMs = saturated(event.start_at_ms);
    else if (event.type.startsWith("KeyValue")) changesKv = true;
  }
  return { customStatus, changesKv, failure, startsAtMs };
}

function saturated(ms: U64 | undefined): number | undefined {
  return ms === undefined ? undefined : saturatedNumber(ms);
}
