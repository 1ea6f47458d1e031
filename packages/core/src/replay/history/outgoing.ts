/**
 * The messages that a turn sends (docs/reference/runtime-semantics.md §1.5, §1.9). Each follows from a recorded action and
 * the id of its event, so that the answer names the event. A turn that is committed twice is refused, so a message is sent
 * once.
 */
import { DEFAULT_MAX_PAYLOAD_BYTES, MAX_CARRIED_MESSAGES, storedBytes } from "../../define/limits.ts";
import type { EventOf } from "../../wire/event.ts";
import { hasTags, type Tags } from "../../wire/tags.ts";
import type { ActivityExecute, OrchestratorItem, WorkItemOf } from "../../wire/work-item.ts";
import type { Action } from "../calls/durable-call.ts";
import type { Sender } from "../calls/kind.ts";

/** An action and the event that records it. */
export interface RecordedAction {
  readonly action: Action;
  readonly eventId: number;
}

/** The request of `continueAsNew`. */
export interface Continuation {
  readonly orchestrationName: string;
  readonly input: string;
  readonly version: string | undefined;
}

export interface Outgoing {
  readonly workerItems: readonly ActivityExecute[];
  readonly orchestratorItems: readonly OrchestratorItem[];
}

/**
 * The messages of a turn; with `ends`, for a turn that ends the execution, only those that do not depend on it. A timer
 * that the turn has both made and dropped needs none.
 */
export function messagesOf(recorded: readonly RecordedAction[], from: Sender, ends: boolean): Outgoing {
  const workerItems: ActivityExecute[] = [];
  const orchestratorItems: OrchestratorItem[] = [];
  for (const { action, eventId } of recorded) {
    const { kind, request, call } = action;
    if (ends && !kind.outlivesExecution) continue;
    if (call?.dropped === true && kind.drop?.removes === "timer") continue;
    const message = kind.message(request, eventId, from);
    if (message?.kind === "ActivityExecute") workerItems.push(message);
    else if (message !== undefined) orchestratorItems.push(message);
  }
  return { workerItems, orchestratorItems };
}

/** A message of a queue, or a kept event, that no code has read. */
export interface UnreadMessage {
  readonly name: string;
  readonly data: string;
  readonly isEvent: boolean;
}

/** The state that an execution passes to the next one. */
export interface Inheritance {
  readonly instanceId: string;
  readonly continuation: Continuation;
  readonly started: EventOf<"OrchestrationStarted">;
  /** Unread messages in the order of arrival. */
  readonly unread: readonly UnreadMessage[];
  readonly status: string | null;
  readonly tags: Tags;
}

/** Messages that continue-as-new sends to the instance itself. */
export interface Succession {
  /** The start of the next execution, with the inherited state. */
  readonly start: WorkItemOf<"ContinueAsNew">;
  /** The unread messages that the start does not carry; they are returned to the head of the queue. */
  readonly returned: readonly WorkItemOf<"QueueMessage">[];
}

export function successionOf(inheritance: Inheritance): Succession {
  const { instanceId: instance, continuation, started, unread, status, tags } = inheritance;
  const count = carriedCount(inheritance);
  const carried = unread.slice(0, count);
  const events = carried.filter(({ isEvent }) => isEvent);
  const start: WorkItemOf<"ContinueAsNew"> = {
    kind: "ContinueAsNew",
    instance,
    orchestration: continuation.orchestrationName,
    input: continuation.input,
    version: continuation.version ?? null,
    ...(started.parent_instance !== null && { parent_instance: started.parent_instance }),
    ...(started.parent_id !== null && { parent_id: started.parent_id }),
    ...(started.parent_execution_id !== undefined && { parent_execution_id: started.parent_execution_id }),
    carry_forward_events: carried.map(({ name, data }) => [name, data] as const),
    ...(status !== null && { initial_custom_status: status }),
    ...(started.deadline_ms !== undefined && { deadline_ms: started.deadline_ms }),
    ...(events.length > 0 && { kept_events: [...new Set(events.map(({ name }) => name))] }),
    ...(hasTags(tags) && { tags }),
    ...(started.scheduled !== undefined && { scheduled: started.scheduled }),
    ...(started.limit !== undefined && { limit: started.limit }),
  };
  const returned = unread.slice(count).map(({ name, data, isEvent }) => {
    const mark = isEvent ? { kept_event: true } : {};
    return { kind: "QueueMessage", instance, name, data, ...mark } as const;
  });
  return { start, returned };
}

/** The number of messages, from the first on, that a start can carry: a store keeps a start in one document. */
function carriedCount({ continuation, unread, status }: Inheritance): number {
  if (unread.length === 0) return 0;
  let bytes = storedBytes(continuation.input) + storedBytes(status ?? "");
  let count = 0;
  for (const { name, data } of unread.slice(0, MAX_CARRIED_MESSAGES)) {
    bytes += storedBytes(name) + storedBytes(data);
    if (bytes > DEFAULT_MAX_PAYLOAD_BYTES) break;
    count++;
  }
  return count;
}
