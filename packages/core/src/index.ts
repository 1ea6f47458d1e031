/**
 * Durable orchestrations for TypeScript. This file is the table of contents of the package.
 *
 * @module @duroxide-ts/core
 */

// Running and steering
export { Admin } from "./client/admin.ts";
export type { AdminReads, InstancesOptions, RunningMetrics } from "./client/admin-reads.ts";
export type { AskOptions } from "./client/ask.ts";
export { Client, type ClientOptions } from "./client/client.ts";
export type { CustomStatusOptions } from "./client/custom-status.ts";
export { InstanceHandle } from "./client/instance-handle.ts";
export type { LimitStatus, LimitSummary, Limits } from "./client/limits.ts";
export type { BlockedOptions } from "./client/list-blocked.ts";
export type { OrchestrationStatus } from "./client/orchestration-status.ts";
export type { ScheduleInfo } from "./client/schedules/schedule-info.ts";
export type {
  ApplyOptions,
  ApplyResult,
  BackfillOptions,
  RunsOptions,
  TriggerOptions,
} from "./client/schedules/schedule-options.ts";
export type { Schedules } from "./client/schedules/schedules.ts";
export type { SendOptions } from "./client/send-message.ts";
export type { QueuedAtStart, RaisedAtStart, StartMessages, StartOptions } from "./client/start-options.ts";
export type { StreamItem, StreamReadOptions } from "./client/streams/read-stream.ts";
export type { EventsOptions } from "./client/streams/server-sent-events.ts";
export { StreamReading } from "./client/streams/stream-reading.ts";
export type {
  BulkVerb,
  ForEachOptions,
  ForEachProgress,
  ForEachResult,
} from "./client/verbs/for-each.ts";
export type { RedeliverOptions, RedeliverResult } from "./client/verbs/redeliver.ts";
export type {
  BulkFilter,
  ByHand,
  DeleteByHand,
  PruneByHand,
  RestartOptions,
  RestartResult,
  ResumeOptions,
  ResumeResult,
  RetryOptions,
  RetryResult,
  RewindOptions,
  SuspendResult,
  WithReason,
} from "./client/verbs/verb-options.ts";
export type { WaitOptions } from "./client/wait.ts";
// The store for users; the other types are in `@duroxide-ts/core/stores`, for authors of stores
export type {
  BulkOptions,
  DeleteOptions,
  DeleteResult,
  ExecutionInfo,
  PruneOptions,
  PruneResult,
  QueueDepths,
  SystemMetrics,
} from "./contract/admin.ts";
// Time and chance
export {
  type CancelTimer,
  type Clock,
  type Random,
  sleep,
  systemClock,
  systemRandom,
} from "./contract/clock.ts";
export type { InstanceInfo, Suspended } from "./contract/instance-info.ts";
export type { LimitRate, LimitRule } from "./contract/limits.ts";
export type { ListedStatus } from "./contract/listed-status.ts";
export type { InstanceStats, Provider, TagFilter } from "./contract/provider.ts";
export { ProviderError, type ProviderErrorCode } from "./contract/provider-error.ts";
export type {
  CountKey,
  DeadLetter,
  DeadLetterPage,
  DeadLetterQuery,
  FailureCategory,
  InstanceCount,
  InstanceCounts,
  InstanceFailure,
  InstanceFilter,
  InstanceQuery,
  InstanceQueryPage,
  InstanceSummary,
  QueryCost,
  QueuedWork,
  TagConditions,
  TagRange,
  Worker,
  WorkerReport,
  WorkerSlots,
  WorkKind,
  WorkPage,
  WorkQuery,
} from "./contract/queries.ts";
export type { Blocked, ExecutionStatus } from "./contract/status.ts";
export type { StreamInfo } from "./contract/streams.ts";
// Definitions
export type { ActivityContext } from "./define/activity-context.ts";
export type { AnswerHandler } from "./define/answering.ts";
export type { CronTime } from "./define/cron.ts";
export type {
  ActivityDefinition,
  ActivityDefinitionOptions,
  ActivityHandler,
  AnyActivity,
  EventDefinition,
  KeptEventDefinition,
  KeyDefinition,
  PayloadSchemas,
  QuestionDefinition,
  QueueDefinition,
} from "./define/definition-types.ts";
export {
  activity,
  type EventOptions,
  event,
  key,
  type OrchestrationOptions,
  orchestration,
  question,
  queue,
} from "./define/definitions.ts";
export type {
  ActivityOptions,
  CallOptions,
  ContinueAsNewOptions,
  DetachedOptions,
  OnCancelOptions,
  RaceOptions,
  StepHandler,
  StepOptions,
  SubOrchestrationOptions,
} from "./define/durable-call-options.ts";
export type { Duration } from "./define/duration.ts";
export type { EntryValue, JoinValue, RaceResult } from "./define/joined-values.ts";
export type { KeyValues } from "./define/key-values.ts";
export type { LimitOptions, Priority } from "./define/limit-rules.ts";
export {
  type ContextLog,
  type LogFields,
  type Logger,
  silentLogger,
  type WriteEntry,
} from "./define/logger.ts";
export type { EarlyEnd, MapOptions } from "./define/map.ts";
export type {
  AnyOrchestration,
  BranchFunction,
  CleanUpFunction,
  CustomStatusOf,
  InputOf,
  JoinEntry,
  MapFunction,
  OrchestrationContext,
  OrchestrationDefinition,
  OrchestrationHandler,
  RaceEntry,
  ResultOf,
} from "./define/orchestration-context.ts";
export type { Progress, ProgressOfStep } from "./define/progress.ts";
export type { AttemptError, Backoff, ErrorClass, Retry, RetryPolicy } from "./define/retry.ts";
export { RetryAfterError, type RetryAfterOptions } from "./define/retry-after-error.ts";
export type { Saga, Uncertain, Undo, UndoOptions } from "./define/saga.ts";
export {
  type CatchUp,
  type Overlap,
  type Schedule,
  type ScheduledStart,
  type ScheduleOptions,
  type ScheduleRules,
  type ScheduleTimes,
  schedule,
} from "./define/schedule.ts";
export type { StandardSchema } from "./define/standard-schema.ts";
export { type StderrLoggerOptions, stderrLogger } from "./define/stderr-logger.ts";
export type { Jsonify, NotStorable, Stored, StoredTypes } from "./define/stored.ts";
export {
  type CodeStream,
  type StepStream,
  type StreamDefinition,
  type StreamEntry,
  type StreamGap,
  type StreamOptions,
  type StreamReset,
  stream,
} from "./define/stream.ts";
export type { Task } from "./define/task.ts";
export type { TimerTime, UntilTime } from "./define/timer-time.ts";

// Errors
export { CompensationError } from "./errors/compensation-error.ts";
export {
  ActivityFailedError,
  AlreadyExistsError,
  CancelledError,
  ConfigurationError,
  DuroxideError,
  type DuroxideErrorCode,
  type InputIssue,
  InvalidInputError,
  isCallFailure,
  LimitExceededError,
  NonRetryableError,
  NotDeliveredError,
  OrchestrationFailedError,
  RefusedError,
  SubOrchestrationFailedError,
  TimeoutError,
} from "./errors/duroxide-error.ts";
export { QuestionError, type QuestionErrorCode } from "./errors/question-error.ts";
export { StreamError, type StreamErrorCode } from "./errors/stream-error.ts";
// Observability: what a meter and a tracer of @opentelemetry/api fit into
export type {
  Counter,
  GaugeCallback,
  GaugeReadings,
  Histogram,
  InstrumentOptions,
  Labels,
  Meter,
  ObservableGauge,
} from "./observe/meter.ts";
export type { Span, SpanContext, SpanOptions, TraceContext, Tracer } from "./observe/tracer.ts";
// Payloads: how inputs and results become stored text
export { jsonCodec } from "./payload/json-codec.ts";
export { JsonText } from "./payload/json-text.ts";
export type { PayloadCodec } from "./payload/payload-codec.ts";
export { PayloadError } from "./payload/payload-error.ts";
export { rawCodec } from "./payload/raw-codec.ts";
export { rustTypedCodec } from "./payload/rust-typed-codec.ts";
export type { RetentionOptions } from "./runtime/options/retention-options.ts";
export type { BlockOrFail, RuntimeOptions, StoreTrouble } from "./runtime/options/runtime-options.ts";
export type { VersionPolicies } from "./runtime/registry.ts";
export { type Drained, type DrainOptions, Runtime, type ShutdownOptions } from "./runtime/runtime.ts";
// Changes of schedules, as their instances keep them
export type { ScheduleChange } from "./schedules/stored-schedule.ts";
// An execution as steps
export type {
  ActivityAttempt,
  ActivityRan,
  ActivityStep,
  ArrivalStep,
  BegunByHand,
  ChildStep,
  DetachedStep,
  InstanceTimeline,
  MessageStep,
  QuestionStep,
  SetAsideArrival,
  Step,
  StepBase,
  StepOutcome,
  SystemStep,
  TimerStep,
  UnreadArrival,
  Wait,
} from "./timeline/timeline.ts";
export { timelineOf } from "./timeline/timeline-of.ts";
// The stored form of a failure, and the events of a history
export { type ErrorCategory, type ErrorDetails, errorCategory } from "./wire/error-details.ts";
export type { EventOf, HistoryEvent } from "./wire/event.ts";
export type { TagChanges, Tags, TagValue } from "./wire/tags.ts";
