/**
 * The ways in which calls are answered: by a result, by a failure, or by an arrival with a name. Results and failures name
 * the event that scheduled the call, so each finds its call whatever else has happened. An arrival names none: it is for
 * whichever call of its name is next (code/arrivals.ts).
 */
import type { Ran } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { WorkItemOf } from "../../wire/work-item.ts";
import type { Answer, Source } from "./kind.ts";

type Result = Answer<
  "ActivityCompleted" | "SubOrchCompleted",
  "ActivityCompleted" | "SubOrchestrationCompleted"
>;
type Failure = Answer<"ActivityFailed" | "SubOrchFailed", "ActivityFailed" | "SubOrchestrationFailed">;
type Arrival = Answer<"ExternalRaised" | "QueueMessage", "ExternalEvent" | "ExternalEventPersistent">;

/** The variable gives the object its precise type; as an Answer it is one of many, told apart by the table. */
export function result(message: Result["message"], event: Result["event"]): Answer {
  const answer: Result = {
    message,
    event,
    source: sourceOf,
    payload: (item) => withRan(item, { result: item.result }),
    settle: (call, { result }) => call.succeed(result),
  };
  return answer;
}

export function failure(message: Failure["message"], event: Failure["event"]): Answer {
  const answer: Failure = {
    message,
    event,
    source: sourceOf,
    payload: (item) => withRan(item, { details: item.details }),
    settle: (call, { details }) => call.fail(details),
  };
  return answer;
}

/** The event says where the activity ran, if its completion does. */
function withRan<P extends object>(
  item: WorkItemOf<Result["message"] | Failure["message"]>,
  payload: P,
): P & { readonly ran?: Ran } {
  return "ran" in item && item.ran !== undefined ? { ...payload, ran: item.ran } : payload;
}

export function arrival(message: Arrival["message"], event: Arrival["event"]): Answer {
  const answer: Arrival = {
    message,
    event,
    source: () => undefined,
    payload: ({ name, data, replaces, ...more }) => ({
      name,
      data,
      ...("kept_event" in more && { kept_event: true }),
      ...("sent_again" in more && { sent_again: true }),
      ...(replaces !== undefined && { replaces }),
    }),
    settle: (call, { data }) => call.succeed(data),
  };
  return answer;
}

type Completion =
  | { readonly id: U64; readonly execution_id: U64 }
  | { readonly parent_id: U64; readonly parent_execution_id: U64 };

/** The schedule that a completion names; results of children name it by their parent. */
export function sourceOf(message: Completion): Source {
  return "parent_id" in message
    ? { id: message.parent_id, executionId: message.parent_execution_id }
    : { id: message.id, executionId: message.execution_id };
}
