/** Errors of the server, as the classes and codes that a `Client` throws. */
import {
  AlreadyExistsError,
  DuroxideError,
  type DuroxideErrorCode,
  type ErrorDetails,
  InvalidInputError,
  LimitExceededError,
  NotDeliveredError,
  OrchestrationFailedError,
  ProviderError,
  type ProviderErrorCode,
  QuestionError,
  type QuestionErrorCode,
  RefusedError,
  StreamError,
  type StreamErrorCode,
  TimeoutError,
} from "@duroxide-ts/core/browser";
import type { ErrorBody, ErrorFields } from "../wire/bodies.ts";

type Restore = (fields: ErrorFields) => Error;

const CLASSES: Readonly<Record<string, Restore>> = {
  AlreadyExistsError: ({ instanceId = "", status, orchestration = "" }) =>
    new AlreadyExistsError(instanceId, { status: status as AlreadyExistsError["status"], orchestration }, ""),
  InvalidInputError: ({ message, issues }) => new InvalidInputError(message, issues && { issues }),
  LimitExceededError: ({ message }) => new LimitExceededError(message),
  NotDeliveredError: ({ code, instanceId = "", message }) =>
    new NotDeliveredError(code === "ended" ? "ended" : "not-found", instanceId, message),
  OrchestrationFailedError: ({ instanceId = "", details }) =>
    new OrchestrationFailedError(instanceId, details as ErrorDetails),
  ProviderError: ({ code, operation = "http", message, detail = message, retryable, messageId }) =>
    new ProviderError({
      code: code as ProviderErrorCode,
      operation,
      message: detail,
      retryable: retryable === true,
      ...(messageId !== undefined && { messageId }),
    }),
  QuestionError: ({ code, message, instanceId = "", question = "", messageId = "" }) =>
    new QuestionError(code as QuestionErrorCode, message, { instanceId, question, messageId }),
  RefusedError: ({ instanceId = "", message }) => new RefusedError(instanceId, message),
  StreamError: ({ code, instanceId = "", stream = "" }) =>
    new StreamError(code as StreamErrorCode, { instanceId, stream }),
  TimeoutError: ({ message }) => new TimeoutError(message),
};

/** Codes for refusals of the server itself, by status. */
const PLAIN: Readonly<Record<number, ProviderErrorCode>> = { 401: "cannot-open", 403: "read-only" };

/** The error of an answer. `body` is undefined where it is no JSON: then the server is another one, or a proxy. */
export function restoredError(operation: string, status: number, body: unknown): Error {
  const fields = fieldsOf(body);
  if (fields === undefined) return foreign(operation, status);
  const restore = Object.hasOwn(CLASSES, fields.name ?? "") ? CLASSES[fields.name ?? ""] : undefined;
  if (restore === undefined) return refusal(operation, status, fields);
  const error = restore(fields);
  // Some constructors put words around the message.
  error.message = fields.message;
  return error;
}

function refusal(operation: string, status: number, { code, message, name }: ErrorFields): Error {
  // A 404 that is no error of a client is about the address: a wait would go on for an instance that may come.
  const plain = status === 404 && name === undefined ? "cannot-open" : PLAIN[status];
  if (plain !== undefined) return new ProviderError({ code: plain, operation, message });
  if (status === 413) return new LimitExceededError(message);
  if (status >= 500) {
    return new ProviderError({ code: status === 503 ? "unavailable" : "internal", operation, message });
  }
  if (status === 400 || status === 415) return new InvalidInputError(message);
  return new DuroxideError(code as DuroxideErrorCode, message);
}

/** Proxies answer so while a server starts, or is overloaded. */
const PASSING: readonly number[] = [408, 425, 429, 502, 503, 504];

function foreign(operation: string, status: number): ProviderError {
  if (status < 300) {
    const message =
      "the answer is none of the routes, but perhaps a page to sign in; check the address of the client";
    return new ProviderError({ code: "cannot-open", operation, message });
  }
  const isPassing = PASSING.includes(status);
  return new ProviderError({
    code: isPassing ? "unavailable" : (PLAIN[status] ?? "cannot-open"),
    operation,
    message: `the server answered ${status} without saying why; ${isPassing ? "repeat the call" : "check the address of the client"}`,
  });
}

function fieldsOf(body: unknown): ErrorFields | undefined {
  const { error } = (body ?? {}) as Partial<ErrorBody>;
  const isError = typeof error === "object" && error !== null;
  return isError && typeof error.code === "string" && typeof error.message === "string" ? error : undefined;
}
