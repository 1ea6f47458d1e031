/**
 * The parts of a client in a browser: errors, checks and the JSON of payloads. Nothing here imports a module of Node.
 *
 * @module @duroxide-ts/core/browser
 */
export type { Client } from "../client/client.ts";
export type { InstanceHandle } from "../client/instance-handle.ts";
export { type Clock, sleep, systemClock, systemRandom } from "../contract/clock.ts";
export { onAbort } from "../contract/on-abort.ts";
export { ProviderError, type ProviderErrorCode } from "../contract/provider-error.ts";
export { type Duration, durationMs } from "../define/duration.ts";
export { checkInstanceId, checkRootId } from "../define/instance-id.ts";
export { calleeName, nameOf } from "../define/named.ts";
export { type StandardSchema, validate, validateStored } from "../define/standard-schema.ts";
export {
  AlreadyExistsError,
  CancelledError,
  ConfigurationError,
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
export { checkOptions, type OptionList, optionFault, optionList } from "../options/option-list.ts";
export { jsonCodec } from "../payload/json-codec.ts";
export { JsonText } from "../payload/json-text.ts";
export { describePayload, type PayloadKind } from "../payload/payload-kind.ts";
