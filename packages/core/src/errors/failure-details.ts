/** Failures in their stored form. */
import type { ApplicationKind, ErrorDetails } from "../wire/error-details.ts";
import { describeThrown } from "./describe-thrown.ts";
import { ActivityFailedError, SubOrchestrationFailedError } from "./duroxide-error.ts";
import { quietPromises } from "./quiet-promises.ts";
import { reportOf } from "./restore-thrown.ts";
import { thrownMessage } from "./thrown-value.ts";

export function applicationFailure(kind: ApplicationKind, message: string): ErrorDetails {
  return { Application: { kind, message, retryable: false } };
}

export function nondeterminism(message: string): ErrorDetails {
  return { Configuration: { kind: "Nondeterminism", resource: "", message } };
}

export function infrastructureFailure(operation: string, message: string, retryable = false): ErrorDetails {
  return { Infrastructure: { operation, message, retryable } };
}

/**
 * The details for a value that user code threw; for an Error with name, data, stack and causes beside the message.
 * Never throws: for any value, also one whose properties throw, the details can be stored.
 */
export function thrownFailure(kind: ApplicationKind, thrown: unknown): ErrorDetails {
  return describedFailure(kind, thrownMessage(thrown), thrown);
}

/** The failure of an orchestration whose code has thrown. Poison that it passes on stays poison, for parents and tools. */
export function failureOfCode(thrown: unknown): ErrorDetails {
  const isOfCall = ActivityFailedError.is(thrown) || SubOrchestrationFailedError.is(thrown);
  if (isOfCall && "Poison" in thrown.details) return thrown.details;
  return thrownFailure("OrchestrationFailed", thrown);
}

/** The failure of a cancelled instance; message and cause are those of a clean-up that failed. */
export function cancelledFailure(reason: string, cleanUp?: { readonly error: unknown }): ErrorDetails {
  const kind = { Cancelled: { reason } };
  if (cleanUp === undefined) return applicationFailure(kind, "");
  // The message tells a failed clean-up from none.
  const message = thrownMessage(cleanUp.error) || "the clean-up threw an error without a message";
  return describedFailure(kind, message, cleanUp.error);
}

function describedFailure(kind: ApplicationKind, message: string, thrown: unknown): ErrorDetails {
  quietPromises(thrown);
  const description = describeThrown(thrown);
  return {
    Application: {
      kind,
      message,
      retryable: false,
      ...(description !== undefined && { thrown: description }),
    },
  };
}

/**
 * Stack and causes as text, for logs and spans. `thrown` is the value that was thrown in this process, for details
 * without a stack. `undefined` if there is only a message.
 */
export function failureStack(details: ErrorDetails, thrown?: unknown): string | undefined {
  if (!("Application" in details)) return undefined;
  const { message, thrown: stored } = details.Application;
  const described = stored?.stack === undefined ? (describeThrown(thrown) ?? stored) : stored;
  return described && reportOf(message, described);
}
