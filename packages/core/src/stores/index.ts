/**
 * The entry for authors of stores: the contract of a provider, the wire format, and parts that every store needs.
 *
 * @module @duroxide-ts/core/stores
 */
// The contract

// Parts that every store needs
export { BoundedMap } from "../collections/bounded-map.ts";
export { ChurningMap } from "../collections/churning-map.ts";
export { type Member, Members } from "../collections/members.ts";
export type {
  BlockedPage,
  BulkOptions,
  DeleteOptions,
  DeleteResult,
  ExecutionInfo,
  ListBlockedOptions,
  ProviderAdmin,
  PruneOptions,
  PruneResult,
  QueueDepths,
  SystemMetrics,
} from "../contract/admin.ts";
export {
  checkBulk,
  checkListBlocked,
  checkPruneOptions,
  checkSettling,
} from "../contract/admin-arguments.ts";
export { doubledMs, hasPassed, sleep, systemClock, systemRandom } from "../contract/clock.ts";
export type { InstanceInfo, Suspended } from "../contract/instance-info.ts";
export {
  afterBegin,
  DEFAULT_PRIORITY,
  groupOfKey,
  isOverdue,
  isUnder,
  LAST_PRIORITY,
  type LimitChange,
  type LimitRule,
  type LimitState,
  type LimitUse,
  levelsOf,
  nextSlotMs,
  type ProviderLimits,
  rankOf,
  ruleKeysOf,
  STARVATION_MS,
  type StoredLimit,
  waitingFor,
} from "../contract/limits.ts";
export {
  type AskedStatuses,
  askedStatuses,
  cancelReason,
  type ListedStatus,
  listedStatus,
  type StoredState,
} from "../contract/listed-status.ts";
export { onAbort } from "../contract/on-abort.ts";
export {
  holderOf,
  type Processes,
  type ProcessIdentity,
  secretOf,
  secretsOf,
  systemProcesses,
} from "../contract/processes.ts";
export type { ProgressReport, StoredProgress } from "../contract/progress.ts";
export type {
  AbandonOptions,
  AckedOrchestration,
  ActivityId,
  EnqueueOptions,
  EnqueueOutcome,
  ExecutionMetadata,
  FetchedOrchestration,
  FetchedWork,
  FetchOrchestrationOptions,
  FetchWorkOptions,
  FusedAck,
  FusedOutcome,
  InstanceStats,
  InstanceStatus,
  KvEntry,
  OrchestrationAck,
  OrchestrationItem,
  Provider,
  RenewOptions,
  RenewSessionsOptions,
  SessionClaim,
  StartInstanceOptions,
  StartMessage,
  StartOutcome,
  TagFilter,
  TakenId,
  TimerId,
  TurnContent,
} from "../contract/provider.ts";
export {
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorOptions,
} from "../contract/provider-error.ts";
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
} from "../contract/queries.ts";
export {
  checkCountKeys,
  checkDeadLetterQuery,
  checkInstanceFilter,
  checkInstanceQuery,
  checkWorkQuery,
  DEFAULT_PAGE,
  MOST_LISTED_BYTES,
  WORKER_LISTED_MS,
} from "../contract/query-arguments.ts";
export type { ExpectedState, InstanceRevision, RevisionOutcome } from "../contract/revision.ts";
export { type Blocked, type BlockedReason, type ExecutionStatus, hasEnded } from "../contract/status.ts";
export {
  readBlock,
  readSuspended,
  readWorker,
  type StoredBlock,
  storedJson,
} from "../contract/stored-notes.ts";
export {
  type AttemptOfAppend,
  attemptNumber,
  attemptOf,
  type KnownStep,
  type LastOfStep,
  numberedStep,
  stepOf,
} from "../contract/stream-attempts.ts";
export {
  type AppendOutcome,
  mayDrop,
  partsOf,
  type SizedValues,
  STREAM_PAGE_BYTES,
  type StreamAppend,
  type StreamBatch,
  type StreamBounds,
  type StreamChange,
  type StreamInfo,
  type StreamOrigin,
  type StreamPage,
  type StreamRead,
  type StreamRestart,
  type StreamWriter,
  streamKey,
} from "../contract/streams.ts";
export { boundsOf, tagConditionsOf } from "../contract/tag-conditions.ts";
export { durationMs, instantMs } from "../define/duration.ts";
export { checkChildId, checkInstanceId, checkRootId } from "../define/instance-id.ts";
export { toLogger, toObserver } from "../define/observers.ts";
export { RareWarnings } from "../define/rare-warnings.ts";
export { stderrLogger } from "../define/stderr-logger.ts";
export { invariant } from "../errors/invariant.ts";
export { isError } from "../errors/thrown-value.ts";
export { abortAfter, afterJobs, monotonicMs, nextRound, setImmediate } from "../host/originals.ts";
export { outside } from "../host/outside.ts";
export { type OptionList, optionFault, optionList } from "../options/option-list.ts";
export { isArrival, isPayloadField, payloadPath } from "../redaction/payload-path.ts";
export type { RedactPayload } from "../redaction/redacted-values.ts";
export { type RedactionSettings, withoutQuotation, withRedaction } from "../redaction/with-redaction.ts";
// The wire format
export * as blocks from "../wire/blocks.ts";
export {
  decodeErrorDetails,
  decodeEvent,
  decodeEvents,
  decodeWorkItem,
  encodeErrorDetails,
  encodeEvent,
  encodeWorkItem,
  eventFields,
  WireError,
  type WireErrorCode,
  type WireErrorOptions,
} from "../wire/codec.ts";
export {
  type ApplicationDetails,
  type ApplicationKind,
  type ConfigurationDetails,
  cleanUpFailureOf,
  displayMessage,
  type ErrorCategory,
  type ErrorDetails,
  errorCategory,
  type InfrastructureDetails,
  type PoisonDetails,
  type PoisonSubject,
  type ThrownDetails,
} from "../wire/error-details.ts";
export {
  type CarriedMessage,
  type EventEnvelope,
  type EventOf,
  type EventPayloads,
  type EventType,
  type HistoryEvent,
  isTerminal,
  type MessagePlace,
  type Ran,
  type SetAside,
} from "../wire/event.ts";
export { tagsOfHistory } from "../wire/event-tags.ts";
export { exactJson, exactOrText, lossOf } from "../wire/exact-json.ts";
export { saturatedNumber, type U64 } from "../wire/integer.ts";
export { handlerOf, PERMIT_TAG, STEP_TAG, stepsOf } from "../wire/known-code.ts";
export { ANSWER_PREFIX, askedQuestion, isAnswerKey } from "../wire/question.ts";
export { hidesSchedules, SCHEDULE_ORCHESTRATION, shownTags, withRunsOf } from "../wire/scheduled.ts";
export { shownJson } from "../wire/shown-json.ts";
export { isTagValue, type Tags, type TagValue } from "../wire/tags.ts";
export {
  compareSemver,
  DUROXIDE_VERSION,
  formatSemver,
  inRange,
  packSemver,
  parseSemver,
  type Semver,
  unpackSemver,
  type VersionRange,
} from "../wire/version.ts";
export {
  type ActivityExecute,
  type ActivityOutcome,
  type OrchestratorItem,
  targetInstance,
  type WorkItem,
  type WorkItemKind,
  type WorkItemOf,
  type WorkItemPayloads,
} from "../wire/work-item.ts";
export { acceptsTag } from "./accepts-tag.ts";
export { NOTHING_DELETED, pruneEach, sumOfDeletions } from "./admin-results.ts";
export {
  checkAppend,
  checkFusedAck,
  checkItem,
  checkKey,
  checkLockToken,
  checkProgress,
  checkRevision,
  checkStartInstance,
  checkStreamChange,
  checkStreamRead,
  checkTagFilter,
  invalidInput,
  later,
  toDurationMs,
  toInstanceId,
  toInstanceIds,
  toMessageId,
  toPositiveId,
} from "./arguments.ts";
export { Delay, earlyMs, latenessMs, slotMs } from "./begins.ts";
export { continuationOf, type PagePosition, positionOf } from "./continuation.ts";
export { debouncedSinceMs, type HeldStart, heldStart, restartIn } from "./debounced-start.ts";
export { carriedMessages, decodeStored } from "./decode-stored.ts";
export { describedText } from "./described-item.ts";
export { droppedBeforeStart } from "./dropped-before-start.ts";
export { onlyDiscards } from "./ended-instance.ts";
export { checkFetchOrchestration, checkFetchWork } from "./fetch-arguments.ts";
export { failureCategory, instanceFailure } from "./instance-summary.ts";
export {
  digestOfNames,
  hasActivity,
  hasOrchestration,
  missingOrchestration,
  type NamedInstance,
} from "./known-names.ts";
export { withoutLargeOutput } from "./listed-output.ts";
export { messageOf } from "./message-of.ts";
export { type OrchestrationName, orchestrationOf, startIn } from "./orchestration-of.ts";
export { isOfAnother, takenStatus } from "./taken-id.ts";
export { dueMsOf, timerIdOf, timerKey, toDroppedTimers } from "./timers.ts";
export { type OnWarning, toWarnings } from "./warnings.ts";
export { Watchers } from "./watchers.ts";
