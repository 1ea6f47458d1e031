/**
 * The client without the runtime: for tools and short processes, such as a command line or a function that starts
 * orchestrations. It loads a third of the modules of `@duroxide-ts/core`; what it exports is the same there.
 *
 * @module @duroxide-ts/core/client
 */
export { type Clock, type Random, sleep, systemClock, systemRandom } from "../contract/clock.ts";
export type { Provider } from "../contract/provider.ts";
export { ProviderError, type ProviderErrorCode } from "../contract/provider-error.ts";
export { type LogFields, type Logger, silentLogger } from "../define/logger.ts";
export { type StderrLoggerOptions, stderrLogger } from "../define/stderr-logger.ts";
export {
  AlreadyExistsError,
  DuroxideError,
  type DuroxideErrorCode,
  InvalidInputError,
  LimitExceededError,
  NotDeliveredError,
  OrchestrationFailedError,
  RefusedError,
  TimeoutError,
} from "../errors/duroxide-error.ts";
export { QuestionError, type QuestionErrorCode } from "../errors/question-error.ts";
export { jsonCodec } from "../payload/json-codec.ts";
export { JsonText } from "../payload/json-text.ts";
export type { PayloadCodec } from "../payload/payload-codec.ts";
export { timelineOf } from "../timeline/timeline-of.ts";
export { Admin } from "./admin.ts";
export type { AnyAdmin, AnyClient, AnyHandle, AnyReading, AnySchedules } from "./any-client.ts";
export type { AskOptions } from "./ask.ts";
export { Client, type ClientOptions } from "./client.ts";
export { InstanceHandle } from "./instance-handle.ts";
export type { LimitStatus, LimitSummary, Limits } from "./limits.ts";
export type { OrchestrationStatus } from "./orchestration-status.ts";
export type { StartOptions } from "./start-options.ts";
export type { WaitOptions } from "./wait.ts";
