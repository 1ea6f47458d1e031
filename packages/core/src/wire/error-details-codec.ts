/** Reading and writing ErrorDetails. Shapes: docs/reference/wire-format.md §4. */
import type {
  ApplicationDetails,
  ApplicationKind,
  ConfigurationDetails,
  ErrorDetails,
  InfrastructureDetails,
  PoisonDetails,
  PoisonSubject,
  ThrownCause,
  ThrownDetails,
} from "./error-details.ts";
import { parseJson } from "./json-text.ts";
import { struct } from "./struct.ts";
import { tagged, unit } from "./tagged.ts";
import { type Codec, flag, listOf, no, nullable, optional, text, u32, u64, unknownToRust } from "./values.ts";
import { WireError } from "./wire-error.ts";

const infrastructure = struct<InfrastructureDetails>({ operation: text, message: text, retryable: flag });

const configuration = struct<ConfigurationDetails>({
  kind: tagged<"Nondeterminism">({ Nondeterminism: unit }),
  resource: text,
  message: nullable(text),
});

/** Recursive, because a cause has a cause. */
const thrownCause: Codec<ThrownCause> = {
  read: (value) => cause.read(value),
  write: (value) => cause.write(value),
};

/** Fields that Rust does not know. */
const added = {
  class: unknownToRust(text),
  retryable: unknownToRust(no),
  timeout_ms: unknownToRust(u64),
  retry_after_ms: unknownToRust(u64),
  retry_at_ms: unknownToRust(u64),
  stack: unknownToRust(text),
  cause: unknownToRust(thrownCause),
  errors: unknownToRust(listOf(thrownCause)),
};

const cause = struct<ThrownCause>({
  name: unknownToRust(text),
  message: text,
  data: unknownToRust(text),
  ...added,
});

const application = struct<ApplicationDetails>({
  kind: tagged<ApplicationKind>({
    ActivityFailed: unit,
    OrchestrationFailed: unit,
    Panicked: unit,
    Cancelled: struct<{ readonly reason: string }>({ reason: text }),
  }),
  message: text,
  retryable: flag,
  thrown: unknownToRust(struct<ThrownDetails>({ name: text, data: optional(text), ...added })),
});

const poison = struct<PoisonDetails>({
  attempt_count: u32,
  max_attempts: u32,
  message_type: tagged<PoisonSubject>({
    Orchestration: struct({ instance: text, execution_id: u64 }),
    Activity: struct({ instance: text, execution_id: u64, activity_name: text, activity_id: u64 }),
    FailedDeserialization: struct({ instance: text, execution_id: u64, error: text }),
  }),
  message: text,
  last_error: unknownToRust(text),
  never_ran: unknownToRust(flag),
});

export const errorDetails: Codec<ErrorDetails> = tagged<ErrorDetails>({
  Infrastructure: infrastructure,
  Configuration: configuration,
  Application: application,
  Poison: poison,
});

/** Reads stored text; WireError if it cannot be read. */
export function decodeErrorDetails(json: string): ErrorDetails {
  try {
    return errorDetails.read(parseJson(json));
  } catch (error) {
    throw WireError.about("error details", error);
  }
}

/** Writes the text that Rust writes; WireError for details that cannot be written. */
export function encodeErrorDetails(details: ErrorDetails): string {
  try {
    return errorDetails.write(details) ?? "null";
  } catch (error) {
    throw WireError.about("error details", error);
  }
}
