/** Failures in their stored form. */

import type { ApplicationKind, ErrorDetails } from "../wire/error-details.ts";
import { describeThrown, thrownMessage } from "./thrown-value.ts";

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
 * The details for whatever user code threw; name and data of an Error travel beside the message. Total: whatever the
 * value is and however it resists being read, the details can be stored.
 */
export function thrownFailure(kind: "ActivityFailed" | "OrchestrationFailed", thrown: unknown): ErrorDetails {
  const description = describeThrown(thrown);
  return {
    Application: {
      kind,
      message: thrownMessage(thrown),
      retryable: false,
      ...(description !== undefined && { thrown: description }),
    },
  };
}

/** What a cancelled instance fails with. */
export function cancelledFailure(reason: string): ErrorDetails {
  return applicationFailure({ Cancelled: { reason } }, "");
}
