/** Arbitrary events and work items in canonical form, for properties. */
import fc, { type Arbitrary } from "fast-check";
import type { ErrorDetails, HistoryEvent } from "../../src/index.ts";
import type {
  CarriedMessage,
  EventEnvelope,
  EventPayloads,
  MessagePlace,
  Ran,
  SetAside,
  U64,
  WorkItem,
  WorkItemPayloads,
} from "../../src/stores/index.ts";

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.json(),
  fc.constantFrom("", "__proto__", "\u0000"),
);

const u64: Arbitrary<U64> = fc.oneof(
  fc.nat(),
  fc.maxSafeNat(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
  fc.constantFrom(0, 2 ** 53 - 1, 2n ** 53n, 2n ** 64n - 1n),
);

const u32 = fc.nat(0xffff_ffff);
const textOrNull = fc.option(text);
const u64OrNull = fc.option(u64);
const scheduled = fc.record(
  { name: text, due_ms: u64, tells: fc.boolean() },
  { requiredKeys: ["name", "due_ms"] },
);
const carried: Arbitrary<readonly CarriedMessage[]> = fc.array(fc.tuple(text, text), { maxLength: 4 });

type Arbitraries<P> = { readonly [K in keyof P]-?: Arbitrary<Exclude<P[K], undefined>> };
type Optional<T> = { [K in keyof T as Record<never, never> extends Pick<T, K> ? K : never]: T[K] };

/** Each field of `T`; the optional ones are sometimes missing. */
function document<T extends object>(
  required: Arbitraries<Omit<T, keyof Optional<T>>>,
  optional: Arbitraries<Optional<T>>,
): Arbitrary<T> {
  const parts = { ...required, ...optional } as Record<string, Arbitrary<unknown>>;
  return fc.record(parts, { requiredKeys: Object.keys(required) }) as unknown as Arbitrary<T>;
}

const subject = fc.oneof(
  fc.record({ Orchestration: fc.record({ instance: text, execution_id: u64 }) }),
  fc.record({
    Activity: fc.record({ instance: text, execution_id: u64, activity_name: text, activity_id: u64 }),
  }),
  fc.record({ FailedDeserialization: fc.record({ instance: text, execution_id: u64, error: text }) }),
);

const applicationKind = fc.oneof(
  fc.constantFrom("ActivityFailed" as const, "OrchestrationFailed" as const, "Panicked" as const),
  fc.record({ Cancelled: fc.record({ reason: text }) }),
);

const thrown = document<{ readonly name: string; readonly data?: string }>({ name: text }, { data: text });

const details: Arbitrary<ErrorDetails> = fc.oneof(
  fc.record({ Infrastructure: fc.record({ operation: text, message: text, retryable: fc.boolean() }) }),
  fc.record({
    Configuration: fc.record({
      kind: fc.constant("Nondeterminism" as const),
      resource: text,
      message: textOrNull,
    }),
  }),
  fc.record({
    Application: fc.record(
      { kind: applicationKind, message: text, retryable: fc.boolean(), thrown },
      { requiredKeys: ["kind", "message", "retryable"] },
    ),
  }),
  fc.record({
    Poison: fc.record({ attempt_count: u32, max_attempts: u32, message_type: subject, message: text }),
  }),
);

const ran: Arbitrary<Ran> = fc.record({ started_at_ms: u64, worker_id: text, attempt: u64 });

const setAside: Arbitrary<readonly SetAside[]> = fc.array(
  fc.record({ event: u64, wait: u64, misfit: text }),
  {
    maxLength: 3,
  },
);
const replaces: Arbitrary<MessagePlace> = fc.record({ execution_id: u64, event_id: u64 });

const revision = fc.record(
  { verb: text, of: u64, kept: u64, by: text, reason: text, at_ms: u64 },
  { requiredKeys: ["verb", "of", "at_ms"] },
);

const tags = fc.dictionary(
  text,
  fc.oneof(
    text,
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
  ),
);

const EVENTS: Arbitraries<EventPayloads> = {
  OrchestrationStarted: document<EventPayloads["OrchestrationStarted"]>(
    { name: text, version: text, input: text, parent_instance: textOrNull, parent_id: u64OrNull },
    {
      parent_execution_id: u64,
      carry_forward_events: carried,
      initial_custom_status: text,
      deadline_ms: u64,
      start_at_ms: u64,
      revision,
      run_id: text,
      tags,
      scheduled,
      limit: text,
      priority: u64,
      has_permit: fc.boolean(),
    },
  ),
  OrchestrationCompleted: fc.record({ output: text }),
  OrchestrationFailed: fc.record({ details }),
  OrchestrationContinuedAsNew: fc.record({ input: text }),
  OrchestrationCancelRequested: document<EventPayloads["OrchestrationCancelRequested"]>(
    { reason: text },
    { deadline_ms: u64, revision },
  ),
  OrchestrationChained: fc.record({ name: text, instance: text, input: text }),
  ActivityScheduled: document<EventPayloads["ActivityScheduled"]>(
    { name: text, input: text },
    {
      session_id: text,
      tag: text,
      attempt: u64,
      retry_of: u64,
      max_attempts: u64,
      timeout_ms: u64,
      key_execution: u64,
      limit: text,
      priority: u64,
      input_of: u64,
      input_cuts: fc.array(u64),
      at: text,
      label: text,
    },
  ),
  ActivityCompleted: document<EventPayloads["ActivityCompleted"]>({ result: text }, { ran }),
  ActivityFailed: document<EventPayloads["ActivityFailed"]>({ details }, { ran, final: fc.boolean() }),
  ActivityCancelRequested: fc.record({ reason: text }),
  TimerCreated: document<EventPayloads["TimerCreated"]>(
    { fire_at_ms: u64 },
    { pause_after: u64, limit_of: u64, queue_limit_of: u64, at: text, label: text },
  ),
  TimerFired: document<EventPayloads["TimerFired"]>({ fire_at_ms: u64 }, { final: fc.boolean() }),
  ExternalSubscribed: document<EventPayloads["ExternalSubscribed"]>(
    { name: text },
    { set_aside: setAside, at: text, label: text },
  ),
  ExternalEvent: document<EventPayloads["ExternalEvent"]>(
    { name: text, data: text },
    { set_aside: setAside, replaces, sent_again: fc.boolean() },
  ),
  ExternalSubscribedCancelled: fc.record({ reason: text }),
  ExternalSubscribedPersistent: document<EventPayloads["ExternalSubscribedPersistent"]>(
    { name: text },
    { kept_event: fc.boolean(), set_aside: setAside, at: text, label: text },
  ),
  ExternalEventPersistent: document<EventPayloads["ExternalEventPersistent"]>(
    { name: text, data: text },
    { kept_event: fc.boolean(), set_aside: setAside, replaces },
  ),
  ExternalSubscribedPersistentCancelled: fc.record({ reason: text }),
  SubOrchestrationScheduled: document<EventPayloads["SubOrchestrationScheduled"]>(
    { name: text, instance: text, input: text },
    { tags, at: text, label: text },
  ),
  SubOrchestrationCompleted: fc.record({ result: text }),
  SubOrchestrationFailed: fc.record({ details }),
  SubOrchestrationCancelRequested: document<EventPayloads["OrchestrationCancelRequested"]>(
    { reason: text },
    { deadline_ms: u64, revision },
  ),
  CustomStatusUpdated: fc.record({ status: textOrNull }),
  KeyValueSet: fc.record({ key: text, value: text, last_updated_at_ms: u64 }),
  KeyValueCleared: fc.record({ key: text }),
  KeyValuesCleared: fc.constant({}),
};

const envelope = document<EventEnvelope>(
  {
    event_id: u64,
    source_event_id: u64OrNull,
    instance_id: text,
    execution_id: u64,
    timestamp_ms: u64,
    duroxide_version: text,
  },
  {
    on_cancel: fc.constant(true),
    dropped_timers: fc.array(u64),
    patches: fc.array(text),
    tags_after: tags,
  },
);

const WORK_ITEMS: Arbitraries<WorkItemPayloads> = {
  StartOrchestration: document<WorkItemPayloads["StartOrchestration"]>(
    {
      instance: text,
      orchestration: text,
      input: text,
      version: textOrNull,
      parent_instance: textOrNull,
      parent_id: u64OrNull,
      execution_id: u64,
    },
    {
      parent_execution_id: u64,
      deadline_ms: u64,
      start_at_ms: u64,
      tags,
      scheduled,
      limit: text,
      priority: u64,
      debounced_since_ms: u64,
      if_exists: text,
    },
  ),
  ActivityExecute: document<WorkItemPayloads["ActivityExecute"]>(
    { instance: text, execution_id: u64, id: u64, name: text, input: text },
    {
      session_id: text,
      tag: text,
      retry_of: u64,
      timeout_ms: u64,
      key_execution: u64,
      run_id: text,
      step_of: text,
      limit: text,
      priority: u64,
    },
  ),
  ActivityCompleted: document<WorkItemPayloads["ActivityCompleted"]>(
    { instance: text, execution_id: u64, id: u64, result: text },
    { ran },
  ),
  ActivityFailed: document<WorkItemPayloads["ActivityFailed"]>(
    { instance: text, execution_id: u64, id: u64, details },
    { ran },
  ),
  TimerFired: fc.record({ instance: text, execution_id: u64, id: u64, fire_at_ms: u64 }),
  ExternalRaised: document<WorkItemPayloads["ExternalRaised"]>(
    { instance: text, name: text, data: text },
    { replaces, sent_again: fc.boolean() },
  ),
  QueueMessage: document<WorkItemPayloads["QueueMessage"]>(
    { instance: text, name: text, data: text },
    { kept_event: fc.boolean(), replaces },
  ),
  SubOrchCompleted: fc.record({
    parent_instance: text,
    parent_execution_id: u64,
    parent_id: u64,
    result: text,
  }),
  SubOrchFailed: fc.record({ parent_instance: text, parent_execution_id: u64, parent_id: u64, details }),
  CancelInstance: document<WorkItemPayloads["CancelInstance"]>(
    { instance: text, reason: text },
    { deadline_ms: u64, parent_execution_id: u64 },
  ),
  ContinueAsNew: document<WorkItemPayloads["ContinueAsNew"]>(
    { instance: text, orchestration: text, input: text, version: textOrNull, carry_forward_events: carried },
    {
      parent_instance: text,
      parent_id: u64,
      parent_execution_id: u64,
      initial_custom_status: text,
      deadline_ms: u64,
      kept_events: fc.array(text),
      tags,
      scheduled,
      limit: text,
    },
  ),
};

export const anyEvent: Arbitrary<HistoryEvent> = fc.oneof(
  ...Object.entries(EVENTS).map(([type, payload]) =>
    fc
      .tuple(envelope, payload)
      .map(([head, body]) => ({ ...head, type, ...(body as object) }) as HistoryEvent),
  ),
);

export const anyWorkItem: Arbitrary<WorkItem> = fc.oneof(
  ...Object.entries(WORK_ITEMS).map(([kind, payload]) =>
    payload.map((body) => ({ kind, ...body }) as WorkItem),
  ),
);
