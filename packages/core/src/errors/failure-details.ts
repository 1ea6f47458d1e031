/** From a thrown value to its stored form. */

import type { ApplicationKind, ErrorDetails, ThrownDetails } from "../wire/error-details.ts";
import { RemoteFailure } from "./duroxide-error.ts";

export function applicationFailure(kind: ApplicationKind, message: string): ErrorDetails {
  return { Application: { kind, message, retryable: false } };
}

export function nondeterminism(message: string): ErrorDetails {
  return { Configuration: { kind: "Nondeterminism", resource: "", message } };
}

export function infrastructureFailure(operation: string, message: string, retryable = false): ErrorDetails {
  return { Infrastructure: { operation, message, retryable } };
}

/** The details for whatever user code threw; name and data of an Error travel beside the message. */
export function thrownFailure(kind: "ActivityFailed" | "OrchestrationFailed", thrown: unknown): ErrorDetails {
  if (!(thrown instanceof Error)) return applicationFailure(kind, thrownText(thrown));
  const description = thrown instanceof RemoteFailure ? originOf(thrown) : describeThrown(thrown);
  return {
    Application: {
      kind,
      message: thrown.message,
      retryable: false,
      ...(description !== undefined && { thrown: description }),
    },
  };
}

/** A failure that is let through stays what it was: it must not grow with every level that it passes. */
function originOf({ details }: RemoteFailure): ThrownDetails | undefined {
  return "Application" in details ? details.Application.thrown : undefined;
}

function thrownText(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  try {
    return typeof thrown === "object" ? (JSON.stringify(thrown) ?? String(thrown)) : String(thrown);
  } catch {
    return "a value that cannot be shown was thrown";
  }
}

function describeThrown(error: Error): ThrownDetails {
  const data = ownData(error);
  return data === undefined ? { name: error.name } : { name: error.name, data };
}

/** Enumerable own properties as JSON, or nothing where they cannot be written. */
function ownData(error: Error): string | undefined {
  const { name: _name, message: _message, stack: _stack, cause: _cause, ...rest } = error as Error & object;
  if (Object.keys(rest).length === 0) return undefined;
  try {
    return JSON.stringify(rest);
  } catch {
    return undefined;
  }
}

/** What a cancelled instance fails with. */
export function cancelledFailure(reason: string): ErrorDetails {
  return applicationFailure({ Cancelled: { reason } }, "");
}
