/**
 * The parts of a client in a browser: errors, checks and the JSON of payloads. Nothing here imports a module of Node.
 *
 * @module @duroxide-ts/core/browser
 */
export type { AnyAdmin, AnyClient, AnyHandle, AnyReading, AnySchedules } from "../client/any-client.ts";
export type { AskOptions } from "../client/ask.ts";
export { encodeMessage, type MessageChannel } from "../client/channels.ts";
export type { Client } from "../client/client.ts";
export { type CustomStatusOptions, checkedCustomStatus } from "../client/custom-status.ts";
export type { InstanceHandle } from "../client/instance-handle.ts";
export { instanceIds } from "../client/instance-ids.ts";
export type { OrchestrationStatus } from "../client/orchestration-status.ts";
export { NO_SCHEMAS, type Schemas, schemasOf, validated } from "../client/schemas.ts";
export {
  checkMessageId,
  checkSendOptions,
  type SendArguments,
  type SendOptions,
} from "../client/send-message.ts";
export type { LooseStartOptions, StartArguments } from "../client/start-options.ts";
export type { StreamItem, StreamReadOptions } from "../client/streams/read-stream.ts";
export { type EventsOptions, eventsResponse, offsetAfter } from "../client/streams/server-sent-events.ts";
export { checkStreamOptions } from "../client/streams/stream-options.ts";
export { eachInstance } from "../client/verbs/for-each.ts";
export { checkWait, type WaitOptions } from "../client/wait.ts";
export { type Clock, doubledMs, sleep, systemClock, systemRandom } from "../contract/clock.ts";
export { onAbort } from "../contract/on-abort.ts";
export { ProviderError, type ProviderErrorCode } from "../contract/provider-error.ts";
export { type Blocked, hasEnded } from "../contract/status.ts";
export type {
  CallArguments,
  EventDefinition,
  KeyDefinition,
  QuestionDefinition,
  QueueDefinition,
} from "../define/definition-types.ts";
export { type Duration, durationMs } from "../define/duration.ts";
export { checkInstanceId, checkRootId } from "../define/instance-id.ts";
export { calleeName, nameOf } from "../define/named.ts";
export type { AnyOrchestration, CustomStatusOf, ResultOf } from "../define/orchestration-context.ts";
export type { ProgressOfStep } from "../define/progress.ts";
export { validate, validateStored } from "../define/standard-schema.ts";
export type { StreamDefinition } from "../define/stream.ts";
export {
  AlreadyExistsError,
  CancelledError,
  DuroxideError,
  type DuroxideErrorCode,
  type InputIssue,
  InvalidInputError,
  LimitExceededError,
  NotDeliveredError,
  OrchestrationFailedError,
  RefusedError,
  refusedPayload,
  TimeoutError,
} from "../errors/duroxide-error.ts";
export { QuestionError, type QuestionErrorCode } from "../errors/question-error.ts";
export { StreamError, type StreamErrorCode } from "../errors/stream-error.ts";
export { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
export { encodePayload } from "../payload/encode-payload.ts";
export { jsonCodec } from "../payload/json-codec.ts";
export { JsonText } from "../payload/json-text.ts";
export type { PayloadCodec } from "../payload/payload-codec.ts";
export type { PayloadKind } from "../payload/payload-kind.ts";
export { rawCodec } from "../payload/raw-codec.ts";
export type { ErrorDetails } from "../wire/error-details.ts";
export type { HistoryEvent } from "../wire/event.ts";
export { lossOf } from "../wire/exact-json.ts";
export { parseJson } from "../wire/json-text.ts";
