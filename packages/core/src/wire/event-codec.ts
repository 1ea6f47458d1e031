/**
 * Reads and writes history events. The tables are docs/reference/wire-format.md §2: fields in the order in which Rust
 * writes them, each with its type and its form of "none". The event types have Rust's order too, because a numeric
 * `type` is an index into it.
 */
import { errorDetails } from "./error-details-codec.ts";
import type {
  EventEnvelope,
  EventPayloads,
  EventType,
  HistoryEvent,
  RevisionMark,
  SetAside,
} from "./event.ts";
import { parseJson } from "./json-text.ts";
import { ran } from "./ran-codec.ts";
import { replaces } from "./replaces-codec.ts";
import { scheduledRun } from "./scheduled-run.ts";
import { type Fields, type StructCodec, struct } from "./struct.ts";
import { refuseTag } from "./tagged.ts";
import { tags } from "./tags.ts";
import {
  constant,
  defaulted,
  flag,
  listOf,
  nullable,
  optional,
  refuse,
  text,
  textPair,
  u64,
  unknownToRust,
} from "./values.ts";
import { WireError } from "./wire-error.ts";

const ENVELOPE: Fields<Omit<EventEnvelope, "on_cancel" | "dropped_timers" | "patches" | "tags_after">> = {
  event_id: u64,
  source_event_id: nullable(u64),
  instance_id: text,
  execution_id: u64,
  timestamp_ms: u64,
  duroxide_version: text,
};

const revision = unknownToRust(
  struct<RevisionMark>({
    verb: text,
    of: u64,
    kept: optional(u64),
    by: optional(text),
    reason: optional(text),
    at_ms: u64,
  }),
);

/** Fields of calls for people. */
const NOTES = { at: unknownToRust(text), label: unknownToRust(text) };
const OF_KEPT_EVENT = { kept_event: unknownToRust(flag) };
const JUDGING = {
  set_aside: unknownToRust(listOf(struct<SetAside>({ event: u64, wait: u64, misfit: text }))),
};

type PayloadTables = { readonly [T in EventType]: Fields<EventPayloads[T]> };

const PAYLOADS: PayloadTables = {
  OrchestrationStarted: {
    name: text,
    version: text,
    input: text,
    parent_instance: nullable(text),
    parent_id: nullable(u64),
    parent_execution_id: optional(u64),
    carry_forward_events: optional(listOf(textPair)),
    initial_custom_status: optional(text),
    deadline_ms: unknownToRust(u64),
    start_at_ms: unknownToRust(u64),
    limit: unknownToRust(text),
    priority: unknownToRust(u64),
    has_permit: unknownToRust(flag),
    revision,
    run_id: unknownToRust(text),
    tags: unknownToRust(tags),
    scheduled: unknownToRust(scheduledRun),
  },
  OrchestrationCompleted: { output: text },
  OrchestrationFailed: { details: errorDetails },
  ActivityScheduled: {
    name: text,
    input: text,
    session_id: optional(text),
    tag: optional(text),
    attempt: unknownToRust(u64),
    retry_of: unknownToRust(u64),
    max_attempts: unknownToRust(u64),
    timeout_ms: unknownToRust(u64),
    key_execution: unknownToRust(u64),
    limit: unknownToRust(text),
    priority: unknownToRust(u64),
    input_of: unknownToRust(u64),
    input_cuts: unknownToRust(listOf(u64)),
    ...NOTES,
  },
  ActivityCompleted: { result: text, ran: unknownToRust(ran) },
  ActivityFailed: { details: errorDetails, ran: unknownToRust(ran), final: unknownToRust(flag) },
  ActivityCancelRequested: { reason: text },
  TimerCreated: {
    fire_at_ms: u64,
    pause_after: unknownToRust(u64),
    limit_of: unknownToRust(u64),
    queue_limit_of: unknownToRust(u64),
    ...NOTES,
  },
  TimerFired: { fire_at_ms: u64, final: unknownToRust(flag) },
  ExternalSubscribed: { name: text, ...JUDGING, ...NOTES },
  ExternalEvent: { name: text, data: text, sent_again: unknownToRust(flag), ...JUDGING, replaces },
  OrchestrationChained: { name: text, instance: text, input: text },
  SubOrchestrationScheduled: {
    name: text,
    instance: text,
    input: text,
    tags: unknownToRust(tags),
    ...NOTES,
  },
  SubOrchestrationCompleted: { result: text },
  SubOrchestrationFailed: { details: errorDetails },
  SubOrchestrationCancelRequested: { reason: text },
  OrchestrationContinuedAsNew: { input: text },
  OrchestrationCancelRequested: { reason: text, deadline_ms: unknownToRust(u64), revision },
  ExternalSubscribedCancelled: { reason: text },
  ExternalSubscribedPersistent: { name: text, ...OF_KEPT_EVENT, ...JUDGING, ...NOTES },
  ExternalEventPersistent: { name: text, data: text, ...OF_KEPT_EVENT, ...JUDGING, replaces },
  ExternalSubscribedPersistentCancelled: { reason: text },
  CustomStatusUpdated: { status: nullable(text) },
  KeyValueSet: {
    key: text,
    value: text,
    last_updated_at_ms: defaulted<number | bigint>(u64, () => 0),
    refused: unknownToRust(flag),
  },
  KeyValueCleared: { key: text },
  KeyValuesCleared: {},
};

const EVENT_TYPES = Object.keys(PAYLOADS) as readonly EventType[];

const EVENTS: ReadonlyMap<unknown, StructCodec<HistoryEvent>> = new Map(
  EVENT_TYPES.map((type) => [type, eventCodec(type)]),
);

function eventCodec(type: EventType): StructCodec<HistoryEvent> {
  const table = {
    ...ENVELOPE,
    type: constant(type),
    ...PAYLOADS[type],
    on_cancel: unknownToRust(flag),
    dropped_timers: unknownToRust(listOf(u64)),
    patches: unknownToRust(listOf(text)),
    tags_after: unknownToRust(tags),
  };
  return struct(table as unknown as Fields<HistoryEvent>);
}

/** Reads stored text; WireError if it cannot be read. */
export function decodeEvent(json: string): HistoryEvent {
  try {
    const value = parseJson(json);
    return codecOf(value).readObject(value);
  } catch (error) {
    throw WireError.about("event", error);
  }
}

/** Reads the stored texts of several events, joined by commas; WireError if one of them cannot be read. */
export function decodeEvents(joined: string): HistoryEvent[] {
  try {
    const values = parseJson(`[${joined}]`);
    return Array.isArray(values) ? values.map((value) => codecOf(value).readObject(value)) : [];
  } catch (error) {
    throw WireError.about("event", error);
  }
}

/** Writes the text that Rust writes; WireError for an event that cannot be written. */
export function encodeEvent(event: HistoryEvent): string {
  try {
    return codecOf(event).write(event) ?? "null";
  } catch (error) {
    throw WireError.about("event", error);
  }
}

/** The fields that its type adds to the envelope, in the order of the event. */
export function eventFields(event: HistoryEvent): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(event).filter(([name]) => !(name in ENVELOPE) && name !== "type");
}

function codecOf(event: unknown): StructCodec<HistoryEvent> {
  if (typeof event !== "object" || event === null) return refuse("an object", event);
  const type: unknown = "type" in event ? event.type : undefined;
  const codec = EVENTS.get(typeof type === "number" ? EVENT_TYPES[type] : type);
  if (codec !== undefined) return codec;
  const isTag = typeof type === "string" || typeof type === "number";
  return isTag ? refuseTag(type, EVENT_TYPES, "type") : refuse("the name of an event type", type, "type");
}
