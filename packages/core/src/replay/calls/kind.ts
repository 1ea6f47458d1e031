/**
 * The definition of a kind of durable call. Each kind is one file with one CallKind; the engine derives all its
 * look-ups by event type or message kind from them (table.ts). A CallKind has data and pure functions, but no state.
 */
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { EventOf, EventPayloads, EventType } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { ActivityExecute, OrchestratorItem, WorkItemOf } from "../../wire/work-item.ts";
import type { Content } from "./content.ts";

/** `R` is the request of the code, `E` the type of the event that records it. */
export interface CallKind<R extends Content = Content, E extends EventType = EventType> {
  /** Name in messages to users: `the code asks for kv-set "k"`. */
  readonly name: string;
  readonly schedules: E;
  /** The payload of the event. The event id is part of the generated id of a child. */
  toEvent(request: R, eventId: number, executionId: number): EventPayloads[E];
  /** The content of the event, to be compared with a request. */
  recorded(event: EventOf<E>): Content;
  /** Copies the data of the event, old or new, that the request lacks. */
  adopt(request: R, event: EventOf<E>): void;
  /** The call as source code of the API. */
  describe(content: Content): string;
  /** The message that is sent when the request is recorded. */
  message(request: R, eventId: number, from: Sender): ActivityExecute | OrchestratorItem | undefined;
  /** How the call is answered; empty for a status, an entry, a detached start. */
  readonly answers: readonly Answer[];
  /** Fate of an arrival without a waiting call, if calls are answered by name: lost, or kept for the next call. */
  readonly arrival: "lost" | "kept" | undefined;
  /**
   * Whether a completion must be of this kind (docs/reference/runtime-semantics.md §1.6). Rust checks activities only.
   */
  readonly checksCompletions: boolean;
  /** Effect of the code dropping the call; a kind without it cannot be dropped. */
  readonly drop: Drop | undefined;
  /** Whether a turn that ends the execution still sends the message. */
  readonly outlivesExecution: boolean;
  /** Whether history may have the event although the replayed code does not make the call. */
  readonly mayGoUnmatched: boolean;
  /** Whether history may have consecutive requests of this kind in another order. */
  readonly anyOrder: boolean;

  // Texts in stored failures, as Rust writes them (docs/reference/wire-format.md §2.3).

  /** Text for a completion without its schedule: `no matching schedule for timer id=3`. */
  readonly completion: string;
  /** Text for an event without a call of the code: `history schedule but no emitted action`. */
  readonly unmatched: string;
  /** Text for an event that differs from the call of the code. */
  readonly mismatch: string;
}

/** One way in which a call is answered: the message, and the event that records it. */
export interface Answer<
  M extends OrchestratorItem["kind"] = OrchestratorItem["kind"],
  E extends EventType = EventType,
> {
  readonly message: M;
  readonly event: E;
  /** The schedule that the message answers; none if the name and the order of arrival decide. */
  source(message: WorkItemOf<M>): Source | undefined;
  payload(message: WorkItemOf<M>): EventPayloads[E];
  /** True if this settled the call. Calls that are answered by name are settled in arrivals.ts. */
  settle(call: Settling, event: EventOf<E>): boolean;
}

/** The schedule event that a message names. */
export interface Source {
  readonly id: U64;
  readonly executionId: U64;
}

/** The methods by which an answer settles its call. */
export interface Settling {
  succeed(text: string): boolean;
  fail(details: ErrorDetails): boolean;
}

/** The execution that sends a message. */
export interface Sender {
  readonly instanceId: string;
  readonly executionId: number;
  /** Id from its first event. */
  readonly runId: string | undefined;
  readonly program: { readonly name: string; readonly version: string };
}

export interface Drop {
  /** Absent: history does not record the drop, as in Rust. */
  readonly event?: DropEvent;
  /** Name in messages to users. */
  readonly plural: string;
  /** The row that the drop removes from a queue: the activity, or the message that would fire the timer. */
  readonly removes?: "activity" | "timer";
}

/** Events that record why a call will not be answered. */
export type DropEvent =
  | "ActivityCancelRequested"
  | "SubOrchestrationCancelRequested"
  | "ExternalSubscribedCancelled"
  | "ExternalSubscribedPersistentCancelled";

/** Gives all kinds the same fields in the same order, because V8 reads objects of one shape faster. */
export function callKind<R extends Content, E extends EventType>(
  given: Partial<CallKind<R, E>> &
    Pick<CallKind<R, E>, "name" | "schedules" | "toEvent" | "recorded" | "describe">,
): CallKind<R, E> {
  return Object.freeze({ ...DEFAULTS, ...given });
}

const nothing = (): undefined => undefined;

const DEFAULTS = {
  name: "",
  schedules: undefined,
  toEvent: nothing,
  recorded: nothing,
  adopt: nothing,
  describe: nothing,
  message: nothing,
  answers: [],
  arrival: undefined,
  checksCompletions: false,
  drop: undefined,
  outlivesExecution: false,
  mayGoUnmatched: false,
  anyOrder: false,
  completion: "",
  unmatched: "schedule",
  mismatch: "schedule mismatch",
};
