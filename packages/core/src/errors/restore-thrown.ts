/** Converts the stored description of a thrown error to an error, and to text. */
import type { ErrorDetails, ThrownCause, ThrownDetails } from "../wire/error-details.ts";
import { restorePause } from "./retry-after.ts";
import { COMPENSATION_ERROR, restoreData } from "./thrown-value.ts";

/** The `cause` of a remote failure; `undefined` if only the message is stored. */
export function thrownCause(details: ErrorDetails): Error | undefined {
  if (!("Application" in details) || details.Application.thrown === undefined) return undefined;
  return restore(details.Application.message, details.Application.thrown);
}

/** The stored frames of the process that threw, to be appended to a stack of this process. */
export function framesBelow(header: string, origin: string, details: ErrorDetails): string {
  const thrown = "Application" in details ? details.Application.thrown : undefined;
  const frames = thrown?.stack ?? "    (no stack is stored)";
  return `${header}\n    --- thrown by ${origin} ---\n${frames}`;
}

/** Name, message and frames of an error and its causes; `undefined` if there is only a message. */
export function reportOf(message: string, thrown: ThrownDetails): string | undefined {
  const { stack, cause, errors } = thrown;
  if (stack === undefined && cause === undefined && errors === undefined) return undefined;
  return lines({ ...thrown, message }, "").join("\n");
}

function lines({ name, message, stack, cause, errors = [] }: ThrownCause, prefix: string): string[] {
  return [
    `${prefix}${name === undefined ? message : `${name}: ${message}`}`,
    ...(stack === undefined ? [] : [stack]),
    ...errors.flatMap((error, index) => lines(error, `error ${index + 1}: `)),
    ...(cause === undefined ? [] : lines(cause, "caused by: ")),
  ];
}

function restore(message: string, thrown: ThrownDetails): Error {
  const { name, data, stack, cause, errors, retryable } = thrown;
  const options = cause && { cause: restoreCause(cause) };
  const isOfUndos = name === COMPENSATION_ERROR;
  const behind = errors?.map(restoreCause);
  const error =
    behind === undefined || isOfUndos
      ? new Error(message, options)
      : new AggregateError(behind, message, options);
  // Configurable, because data of the error may have fields of the same names.
  if (isOfUndos && behind !== undefined)
    Object.defineProperty(error, "failures", { value: behind, configurable: true });
  if (retryable === false) Object.assign(error, { retryable });
  const retryAfter = restorePause(thrown);
  if (retryAfter !== undefined)
    Object.defineProperty(error, "retryAfter", { value: retryAfter, configurable: true });
  Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  error.stack = `${name}: ${message}\n${stack ?? "    (thrown by another worker)"}`;
  if (data !== undefined) restoreData(error, parseData(data));
  return error;
}

/** A cause that was not an error is restored as its text. */
function restoreCause({ name, message, ...rest }: ThrownCause): unknown {
  return name === undefined ? message : restore(message, { name, ...rest });
}

function parseData(data: string): object {
  try {
    const parsed: unknown = JSON.parse(data);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
