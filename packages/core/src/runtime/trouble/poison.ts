/** The failures of work above its attempt limit (docs/reference/runtime-semantics.md §3.5). */
import type { Clock, Random } from "../../contract/clock.ts";
import type {
  ExecutionMetadata,
  FetchedOrchestration,
  FetchedWork,
  OrchestrationAck,
  Provider,
} from "../../contract/provider.ts";
import { shorten } from "../../errors/thrown-value.ts";
import { type ParentNotice, parentNotice, parentOfStart } from "../../replay/history/end-execution.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import { deadlineOf, openTimers } from "../../replay/history/waiting-timers.ts";
import type { ErrorDetails, PoisonDetails, PoisonSubject } from "../../wire/error-details.ts";
import type { EventPayloads } from "../../wire/event.ts";
import { runEnded, storedTags } from "../../wire/scheduled.ts";
import type { ScheduledRun } from "../../wire/scheduled-run.ts";
import { NO_TAGS } from "../../wire/tags.ts";
import { encodeWorkItem } from "../../wire/work-item-codec.ts";
import { type Batch, startedPayload } from "../messages/batch.ts";
import { collisionItems, noticeItem } from "../messages/parent-notices.ts";
import { failedAck } from "./failure-ack.ts";
import { attemptsBefore } from "./lone-runs.ts";

export interface PoisonedTurn {
  readonly ack: OrchestrationAck;
  readonly details: ErrorDetails;
  readonly parent: ParentNotice | undefined;
  readonly scheduled: ScheduledRun | undefined;
}

export interface PoisonOptions {
  readonly maxAttempts: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly lastError: string | undefined;
}

/** UTF-16 units of the messages that a failure quotes: whole, they might not fit into a document of the store again. */
const LONGEST_MESSAGE = 65_536;

/** The failure of an activity above its attempt limit. */
export function poisonedActivity(
  fetched: FetchedWork,
  maxAttempts: number,
  lastError: string,
  neverRan: boolean,
): ErrorDetails {
  const { instance, execution_id, name, id } = fetched.item;
  const subject = { Activity: { instance, execution_id, activity_name: name, activity_id: id } };
  const text = shorten(encodeWorkItem(fetched.item), LONGEST_MESSAGE);
  const details = poison(fetched, maxAttempts, subject, text, lastError);
  return neverRan ? { Poison: { ...details.Poison, never_ran: true } } : details;
}

/** An event id above any real one, because the last id of an unreadable history is unknown. */
const UNREADABLE_HISTORY_EVENT_ID = 99_999;

/** Fails the instance without its history. The parent is not notified, because the link to it cannot be read either. */
export function poisonUnreadable(
  fetched: FetchedOrchestration,
  error: string,
  maxAttempts: number,
  clock: Clock,
): PoisonedTurn {
  const { instanceId, executionId } = fetched.item;
  const subject = { FailedDeserialization: { instance: instanceId, execution_id: executionId, error } };
  const details = poison(fetched, maxAttempts, subject, error);
  const ack = failedAck({
    lockToken: fetched.lockToken,
    instanceId,
    executionId,
    firstEventId: UNREADABLE_HISTORY_EVENT_ID,
    started: undefined,
    details,
    droppedTimers: [],
    nowMs: clock.now(),
  });
  const { orchestrationName, version } = fetched.item;
  const metadata = { orchestrationName, orchestrationVersion: version, ...ack.metadata };
  return { ack: { ...ack, metadata }, details, parent: undefined, scheduled: undefined };
}

/**
 * Fails the execution of the batch: the one that it begins or whose beginning it waits for, else the current one. An
 * execution without a history gets a start event first, because every history begins with one.
 */
export function poisonBatch(
  fetched: FetchedOrchestration,
  batch: Batch,
  index: HistoryIndex,
  { maxAttempts, clock, random, lastError }: PoisonOptions,
): PoisonedTurn {
  const { item, lockToken } = fetched;
  const { instanceId } = item;
  const isSuccessor = index.terminal?.type === "OrchestrationContinuedAsNew";
  const executionId = isSuccessor ? item.executionId + 1 : item.executionId;
  const started =
    isSuccessor || index.eventCount === 0 ? syntheticStart(fetched, batch, index, random) : undefined;
  const subject = { Orchestration: { instance: instanceId, execution_id: executionId } };
  const text = shorten(`[${item.messages.map(encodeWorkItem).join(",")}]`, LONGEST_MESSAGE);
  const details = poison(fetched, maxAttempts, subject, text, lastError);
  const firstEventId = started === undefined ? index.nextEventId : 1;
  const nowMs = clock.now();
  const timers = isSuccessor ? [] : openTimers(index, executionId, firstEventId);
  const droppedTimers = [...timers, ...deadlineOf(index)];
  const ack = failedAck({
    lockToken,
    instanceId,
    executionId,
    firstEventId,
    started,
    details,
    droppedTimers,
    nowMs,
  });
  const metadata = started === undefined ? ack.metadata : { ...metadataOfStart(started), ...ack.metadata };
  const parent = started === undefined ? parentNotice(index) : parentOfStart(started);
  const { scheduled } = started ?? index.started ?? {};
  return { ack: { ...ack, metadata }, details, parent, scheduled };
}

/** The messages that tell the parent, the schedule and the senders of refused starts. */
export async function poisonNotices(
  provider: Provider,
  instanceId: string,
  { refusedStarts, start }: Batch,
  index: HistoryIndex,
  { parent, details, scheduled }: PoisonedTurn,
): Promise<OrchestrationAck["orchestratorItems"]> {
  const collisions = await collisionItems(provider, refusedStarts, index, start);
  const notices = parent === undefined ? [] : [await noticeItem(provider, parent, { details })];
  return [...notices, ...runEnded(instanceId, scheduled), ...collisions];
}

function metadataOfStart(started: EventPayloads["OrchestrationStarted"]): ExecutionMetadata {
  return {
    orchestrationName: started.name,
    orchestrationVersion: started.version,
    ...(started.parent_instance !== null && { parentInstanceId: started.parent_instance }),
    ...(started.scheduled !== undefined && { tags: storedTags(started.tags ?? NO_TAGS, started.scheduled) }),
  };
}

/** Makes a start from the start message, else from the predecessor; never from a refused start. */
function syntheticStart(
  { item }: FetchedOrchestration,
  { start }: Batch,
  { started }: HistoryIndex,
  random: Random,
): EventPayloads["OrchestrationStarted"] {
  if (start !== undefined) return startedPayload(start, start.version ?? item.version, random);
  return {
    name: started?.name ?? item.orchestrationName,
    version: started?.version ?? item.version,
    input: "",
    parent_instance: started?.parent_instance ?? null,
    parent_id: started?.parent_id ?? null,
    ...(started?.parent_execution_id !== undefined && { parent_execution_id: started.parent_execution_id }),
  };
}

function poison(
  fetched: FetchedOrchestration | FetchedWork,
  maxAttempts: number,
  subject: PoisonSubject,
  message: string,
  lastError?: string,
): { readonly Poison: PoisonDetails } {
  return {
    Poison: {
      attempt_count: attemptsBefore(fetched),
      max_attempts: maxAttempts,
      message_type: subject,
      message,
      ...(lastError !== undefined && { last_error: lastError }),
    },
  };
}
