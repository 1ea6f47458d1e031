/**
 * The failure of an activity or orchestration as it is stored: one of four categories, externally tagged.
 * Shapes: docs/reference/wire-format.md §4.
 */
import type { U64 } from "./integer.ts";

/** A failure as it is stored: one of four categories. */
export type ErrorDetails =
  | { readonly Infrastructure: InfrastructureDetails }
  | { readonly Configuration: ConfigurationDetails }
  | { readonly Application: ApplicationDetails }
  | { readonly Poison: PoisonDetails };

/** The store or the runtime failed. */
export interface InfrastructureDetails {
  readonly operation: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** The code does not match the history. */
export interface ConfigurationDetails {
  readonly kind: "Nondeterminism";
  readonly resource: string;
  readonly message: string | null;
}

/** User code threw, or the instance was cancelled. */
export interface ApplicationDetails {
  readonly kind: ApplicationKind;
  readonly message: string;
  readonly retryable: boolean;
  /** The thrown error, added by a TypeScript worker. Rust ignores it and may lose it. */
  readonly thrown?: ThrownDetails;
}

/** The stored data of a thrown error in addition to its message. */
export interface ThrownDetails {
  readonly name: string;
  /** The thrown error's own enumerable data as JSON text, without the payload codec. */
  readonly data?: string;
  /** The name of its class, if it differs from its name. */
  readonly class?: string;
  /** Set if the error was marked as final. Not `ApplicationDetails.retryable`, which is always false in Rust. */
  readonly retryable?: false;
  /** Set by the worker that ended a run at its time limit: the limit. */
  readonly timeout_ms?: U64;
  /** The pause before the next attempt that the error asks for, ms. */
  readonly retry_after_ms?: U64;
  /** The time of the next attempt that the error asks for, ms since the epoch. */
  readonly retry_at_ms?: U64;
  /** The frames of its stack, one a line, without those of the runtime and without the header. */
  readonly stack?: string;
  /** The error, or other value, that it names as its cause. */
  readonly cause?: ThrownCause;
  /** The errors of an AggregateError. */
  readonly errors?: readonly ThrownCause[];
}

/** A cause of a thrown error. A value that is not an error has only a message: its text. */
export interface ThrownCause extends Partial<ThrownDetails> {
  readonly message: string;
}

/** The subject of an application failure. */
export type ApplicationKind =
  | "ActivityFailed"
  | "OrchestrationFailed"
  | "Panicked"
  | { readonly Cancelled: { readonly reason: string } };

/** Work that was delivered too often without an outcome. */
export interface PoisonDetails {
  /** How often the message was fetched (u32). */
  readonly attempt_count: number;
  readonly max_attempts: number;
  readonly message_type: PoisonSubject;
  /** JSON text of the message or messages, or the decode error. */
  readonly message: string;
  /** The last error that a TypeScript runtime has recorded. Rust ignores it and may lose it. */
  readonly last_error?: string;
  /** Set if the work never ran, because its code is missing. Rust ignores it. */
  readonly never_ran?: boolean;
}

/** The work that is poison. */
export type PoisonSubject =
  | { readonly Orchestration: { readonly instance: string; readonly execution_id: U64 } }
  | {
      readonly Activity: {
        readonly instance: string;
        readonly execution_id: U64;
        readonly activity_name: string;
        readonly activity_id: U64;
      };
    }
  | {
      readonly FailedDeserialization: {
        readonly instance: string;
        readonly execution_id: U64;
        readonly error: string;
      };
    };

/** The category of a failure, for switches and metrics. */
export type ErrorCategory = "infrastructure" | "configuration" | "application" | "poison";

/** The category of the failure. */
export function errorCategory(details: ErrorDetails): ErrorCategory {
  if ("Application" in details) return "application";
  if ("Infrastructure" in details) return "infrastructure";
  if ("Configuration" in details) return "configuration";
  return "poison";
}

/**
 * Whether the code that made the call gets the failure as an error: that of an application, and an activity whose process
 * died in each attempt. Any other failure ends the execution unchanged.
 */
export function reachesCode(details: ErrorDetails): boolean {
  if (!("Poison" in details)) return "Application" in details;
  const { message_type, never_ran } = details.Poison;
  return "Activity" in message_type && never_ran !== true;
}

/** The reason of a cancellation, which is stored as a failure of the application; `undefined` for other failures. */
export function cancellationOf(details: ErrorDetails): string | undefined {
  if (!("Application" in details)) return undefined;
  const { kind } = details.Application;
  return typeof kind === "object" ? kind.Cancelled.reason : undefined;
}

/** The message of the clean-up of a cancelled instance, if it failed. */
export function cleanUpFailureOf(details: ErrorDetails): string | undefined {
  if (cancellationOf(details) === undefined || !("Application" in details)) return undefined;
  return details.Application.message === "" ? undefined : details.Application.message;
}

/** The one-line text for parents, retry loops and the `output` of a failed instance. */
export function displayMessage(details: ErrorDetails): string {
  if ("Application" in details) return displayApplication(details.Application);
  if ("Infrastructure" in details) {
    return `infrastructure:${details.Infrastructure.operation}: ${details.Infrastructure.message}`;
  }
  if ("Configuration" in details) {
    const { message, resource } = details.Configuration;
    return message === null ? `nondeterministic in ${resource}` : `nondeterministic: ${message}`;
  }
  return displayPoison(details.Poison);
}

/** The message of a cancelled instance begins so, as in Rust. */
export const CANCELLED_PREFIX = "canceled: ";

function displayApplication({ kind, message }: ApplicationDetails): string {
  if (typeof kind === "object") return `${CANCELLED_PREFIX}${kind.Cancelled.reason}`;
  return kind === "Panicked" ? `orchestration panicked: ${message}` : message;
}

function displayPoison({ attempt_count, max_attempts, message_type, last_error }: PoisonDetails): string {
  const limit = `${attempt_count} attempts (max ${max_attempts})`;
  const cause = last_error === undefined ? "" : `: ${last_error}`;
  if ("Orchestration" in message_type) {
    return `poison: orchestration ${message_type.Orchestration.instance} exceeded ${limit}${cause}`;
  }
  if ("Activity" in message_type) {
    const { activity_name, activity_id } = message_type.Activity;
    return `poison: activity ${activity_name}#${activity_id} exceeded ${limit}${cause}`;
  }
  const { instance, error } = message_type.FailedDeserialization;
  return `poison: orchestration ${instance} history deserialization failed after ${limit}: ${error}`;
}
