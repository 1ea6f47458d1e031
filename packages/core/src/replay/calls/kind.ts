/**
 * The verbs of a durable call. Each kind of call is one file with one CallKind; all that the engine looks up by event
 * type or message kind is derived from them (table.ts). A kind is data and pure functions: it holds no state.
 */
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { EventOf, EventPayloads, EventType } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { ActivityExecute, OrchestratorItem, WorkItemOf } from "../../wire/work-item.ts";
import type { Content } from "./content.ts";

/** `R` is what the code asks for, `E` the type of the event that records it. */
export interface CallKind<R extends Content = Content, E extends EventType = EventType> {
  /** In messages to users: `the code asks for kv-set "k"`. */
  readonly name: string;
  readonly schedules: E;
  /** What the event records. The id names children that have no id of their own. */
  toEvent(request: R, eventId: number, executionId: number): EventPayloads[E];
  /** What the event records, to be compared with a request. */
  recorded(event: EventOf<E>): Content;
  /** Takes over what the event, old or new, says beyond the request. */
  adopt(request: R, event: EventOf<E>): void;
  /** In the words of the API. */
  describe(content: Content): string;
  /** What is sent when the request is recorded. */
  message(request: R, eventId: number, from: Sender): ActivityExecute | OrchestratorItem | undefined;
  /** How the call is answered; empty for a status, an entry, a detached start. */
  readonly answers: readonly Answer[];
  /** Of calls that are answered by name: whether an arrival without a waiting call is lost or kept for the next one. */
  readonly arrival: "lost" | "kept" | undefined;
  /** Whether a completion must be of this kind (docs/reference/runtime-semantics.md §1.6). Rust checks activities only. */
  readonly checksCompletions: boolean;
  /** How history records that the code dropped the call; a kind without it leaves no trace. */
  readonly drop: Drop | undefined;
  /** Whether the message is sent by a turn that ends the execution, too. */
  readonly outlivesExecution: boolean;
  /** Whether the event may stand in history without the code asking for it again. */
  readonly mayGoUnmatched: boolean;
  /** Whether requests of this kind that follow one another may stand in history in another order. */
  readonly anyOrder: boolean;

  // Texts in stored failures, as Rust writes them (docs/reference/wire-format.md §2.3).

  /** Of a completion without its schedule: `no matching schedule for timer id=3`. */
  readonly completion: string;
  /** Of an event that the code does not ask for: `history schedule but no emitted action`. */
  readonly unmatched: string;
  /** Of an event that differs from what the code asks for. */
  readonly mismatch: string;
}

/** One way in which a call is answered: a message, and the event that it becomes. */
export interface Answer<
  M extends OrchestratorItem["kind"] = OrchestratorItem["kind"],
  E extends EventType = EventType,
> {
  readonly message: M;
  readonly event: E;
  /** The schedule that the message answers; none where the name and the order of arrival decide. */
  source(message: WorkItemOf<M>): Source | undefined;
  payload(message: WorkItemOf<M>): EventPayloads[E];
  /** True when this settled the call. Calls that are answered by name are settled where their arrivals are kept. */
  settle(call: Settling, event: EventOf<E>): boolean;
}

/** The schedule event that a message names. */
export interface Source {
  readonly id: U64;
  readonly executionId: U64;
}

/** What an answer does to its call. */
export interface Settling {
  succeed(text: string): boolean;
  fail(details: ErrorDetails): boolean;
}

/** The execution that sends a message. */
export interface Sender {
  readonly instanceId: string;
  readonly executionId: number;
}

export interface Drop {
  readonly event: DropEvent;
  /** In messages to users. */
  readonly plural: string;
  /** Whether the work lies in the worker queue and is taken out of it. */
  readonly cancelsActivity: boolean;
}

/** Events that record why a call will not be answered. */
export type DropEvent =
  | "ActivityCancelRequested"
  | "SubOrchestrationCancelRequested"
  | "ExternalSubscribedCancelled"
  | "ExternalSubscribedPersistentCancelled";

/** All kinds get the same fields in the same order, so that the engine's lookups see objects of one shape. */
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
