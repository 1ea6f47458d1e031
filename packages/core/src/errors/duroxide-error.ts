/**
 * The errors of orchestrations, the runtime and the client: a small closed set, distinguished by `code`. Providers
 * throw ProviderError. docs/errors.md explains each code.
 */
import { displayMessage, type ErrorDetails } from "../wire/error-details.ts";
import { quietPromises } from "./quiet-promises.ts";
import { framesBelow, thrownCause } from "./restore-thrown.ts";
import { attempt, isError, thrownMessage } from "./thrown-value.ts";

/** The codes of the errors; docs/errors.md explains each. */
export type DuroxideErrorCode =
  /** An activity threw, and its retries (if any) are used up. */
  | "activity-failed"
  /** A child orchestration failed or was cancelled. */
  | "sub-orchestration-failed"
  /** The task was cancelled by `cancel()` or by its signal. */
  | "cancelled"
  /** A name, id, payload or option is invalid; nothing was stored. */
  | "invalid-input"
  /** A start with `ifExists` found its instance id taken; nothing was stored. */
  | "already-exists"
  /** A message, question or reader of a stream is for an instance that was never started, or was deleted. */
  | "not-found"
  /**
   * A message or question is for an instance that has ended; a question also for one that ends without an answer. Or a
   * value is for a stream that is closed.
   */
  | "ended"
  /** The instance whose stream is read was deleted. */
  | "gone"
  /** The state of the instance does not allow what an operator asked for; nothing was changed. */
  | "refused"
  /** A value is larger than the runtime allows, or there are too many of them. */
  | "limit-exceeded"
  /** The orchestration that a client waited for has failed. */
  | "orchestration-failed"
  /** An activity took too long; or the timeout of a client's wait passed, and the orchestration continues. */
  | "timeout"
  /** A question to an instance that an operator has suspended. */
  | "suspended"
  /** A question to an instance that no process can run now. */
  | "blocked"
  /** The handler of a question threw. */
  | "question-refused"
  /** Options or handlers of the runtime cannot work together. */
  | "configuration"
  /** Undos of a saga failed for good. */
  | "compensation-failed"
  /** A durable call was made while its orchestration was not running a turn. */
  | "outside-turn"
  /** Orchestration code made a call whose result differs from run to run. */
  | "nondeterministic-call";

/** The error of orchestrations, clients and runtimes, distinguished by `code`. */
export class DuroxideError extends Error {
  override readonly name: string = "DuroxideError";
  readonly code: DuroxideErrorCode;

  constructor(code: DuroxideErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** The codes of this class and its subclasses; all for the base class. */
  protected static readonly codes: readonly DuroxideErrorCode[] | undefined = undefined;

  /** Recognises an error of this class by its fields, also when it comes from another copy of this package. */
  static is<E extends DuroxideError>(
    this: abstract new (
      ...args: never[]
    ) => E,
    value: unknown,
    code?: DuroxideErrorCode,
  ): value is E {
    // Called without a class, as a function, it means any error of the family.
    // biome-ignore lint/complexity/noThisInStatic: each class has its own codes
    const codes = (this as unknown as typeof DuroxideError | undefined)?.codes;
    // The value may be a proxy whose traps throw.
    return attempt(() => isOfFamily(value, codes, code)) ?? false;
  }

  readonly duroxide = true;
}

function isOfFamily(
  value: unknown,
  codes: readonly DuroxideErrorCode[] | undefined,
  code: DuroxideErrorCode | undefined,
): boolean {
  if (!isError(value) || !("code" in value) || !("duroxide" in value)) return false;
  if (codes?.includes(value.code as DuroxideErrorCode) === false) return false;
  return code === undefined || value.code === code;
}

/**
 * A failure that was restored from history; `details` is the stored form. `stack` ends with the stored stack of the
 * process that threw, and `cause` is the thrown error with its own stack, data and causes.
 */
export class RemoteFailure extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = [
    "activity-failed",
    "sub-orchestration-failed",
    "orchestration-failed",
  ];
  readonly details: ErrorDetails;

  constructor(code: DuroxideErrorCode, details: ErrorDetails) {
    super(code, displayMessage(details), { cause: thrownCause(details) });
    this.details = details;
  }

  /** False if the thrown error was marked as final: NonRetryableError, or `retryable: false`; false for poison. */
  get retryable(): boolean {
    if ("Poison" in this.details) return false;
    return !("Application" in this.details && this.details.Application.thrown?.retryable === false);
  }
}

/** An activity throws this error if a retry cannot succeed; it ends the retries. */
export class NonRetryableError extends Error {
  override readonly name = "NonRetryableError";

  /** A getter of the class, not an own property, so that it is not stored as data of the error. */
  get retryable(): false {
    return false;
  }
}

/**
 * An activity threw, or its process died in each attempt: then `errorCategory(details)` is `"poison"`, and it may have
 * done its work. `message` is its error's message, `cause` its name, data and stack where a TypeScript worker ran it.
 */
export class ActivityFailedError extends RemoteFailure {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["activity-failed"];
  override readonly name = "ActivityFailedError";
  readonly activityName: string;

  constructor(activityName: string, details: ErrorDetails) {
    super("activity-failed", details);
    this.activityName = activityName;
    this.stack = stackInReplay(this, `activity "${activityName}"`);
  }
}

/** A child failed; a cancelled one says `canceled: <reason>`. */
export class SubOrchestrationFailedError extends RemoteFailure {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["sub-orchestration-failed"];
  override readonly name = "SubOrchestrationFailedError";
  readonly orchestrationName: string;

  constructor(orchestrationName: string, details: ErrorDetails) {
    super("sub-orchestration-failed", details);
    this.orchestrationName = orchestrationName;
    this.stack = stackInReplay(this, `orchestration "${orchestrationName}"`);
  }
}

/** The error of a client's `result()` if the orchestration failed. */
export class OrchestrationFailedError extends RemoteFailure {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["orchestration-failed"];
  override readonly name = "OrchestrationFailedError";
  readonly instanceId: string;

  constructor(instanceId: string, details: ErrorDetails) {
    super("orchestration-failed", details);
    this.instanceId = instanceId;
    this.stack = framesBelow(this.stack ?? this.message, `instance "${instanceId}"`, details);
  }
}

/** The task was cancelled by `cancel()` or its signal, or a client's wait by its signal. */
export class CancelledError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["cancelled"];
  override readonly name = "CancelledError";

  constructor(reason?: unknown) {
    super("cancelled", cancelMessage(reason), isError(reason) ? { cause: reason } : undefined);
  }
}

/** One thing that a schema finds wrong with a value. */
export interface InputIssue {
  readonly message: string;
  /** Place in the value; empty for the value itself. */
  readonly path: readonly (string | number)[];
}

/** A name, id, payload or option is invalid. Nothing was stored. */
export class InvalidInputError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["invalid-input"];
  override readonly name = "InvalidInputError";
  /** The findings of the schema of the value; absent where another check refused it. */
  declare readonly issues?: readonly InputIssue[];

  constructor(message: string, options?: ErrorOptions & { readonly issues?: readonly InputIssue[] }) {
    super("invalid-input", message, options);
    // Not data of the error, which would be stored where orchestration code does not catch it.
    if (options?.issues !== undefined) Object.defineProperty(this, "issues", { value: options.issues });
  }
}

/** A start found its instance id taken, by any instance or by one of another orchestration. Nothing was stored. */
export class AlreadyExistsError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["already-exists"];
  override readonly name = "AlreadyExistsError";
  readonly instanceId: string;
  /** The status of the instance; `Queued` if no runtime has processed its start yet. */
  readonly status: "Queued" | "Running" | "Completed" | "Failed";
  /** Name of the orchestration of the instance that has the id. */
  readonly orchestration: string;

  constructor(
    instanceId: string,
    { status, orchestration }: Pick<AlreadyExistsError, "status" | "orchestration">,
    hint: string,
  ) {
    super("already-exists", `instance "${instanceId}" exists already (${status}); ${hint}`);
    this.instanceId = instanceId;
    this.status = status;
    this.orchestration = orchestration;
  }
}

/** An instance cannot receive a message: it was never started (`not-found`), or has ended (`ended`). Nothing was stored. */
export class NotDeliveredError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["not-found", "ended"];
  override readonly name = "NotDeliveredError";
  readonly instanceId: string;

  constructor(code: "not-found" | "ended", instanceId: string, message: string) {
    super(code, `instance "${instanceId}" ${message}`);
    this.instanceId = instanceId;
  }
}

/** A verb of `client.admin` does not fit the state of the instance. Nothing was changed. */
export class RefusedError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["refused"];
  override readonly name = "RefusedError";
  readonly instanceId: string;

  constructor(instanceId: string, message: string) {
    super("refused", message);
    this.instanceId = instanceId;
  }
}

/** A value is too large, or there are too many. Nothing was recorded. */
export class LimitExceededError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["limit-exceeded"];
  override readonly name = "LimitExceededError";

  constructor(message: string) {
    super("limit-exceeded", message);
  }

  get retryable(): false {
    return false;
  }
}

/** The error for a value that a codec has rejected: `what` names it. */
export function refusedPayload(what: string, error: unknown): DuroxideError {
  quietPromises(error);
  // The error names the payload already.
  if (DuroxideError.is(error, "limit-exceeded")) return error;
  const message = `${what}: ${thrownMessage(error)}`;
  return new InvalidInputError(message, { cause: error });
}

/** An option of the runtime does not exist, or options or handlers cannot work together. */
export class ConfigurationError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["configuration"];
  override readonly name = "ConfigurationError";

  constructor(message: string) {
    super("configuration", message);
  }
}

/** The timeout of a client's wait has passed, or an activity took too long. */
export class TimeoutError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["timeout"];
  override readonly name = "TimeoutError";

  constructor(message: string, options?: ErrorOptions) {
    super("timeout", message, options);
  }
}

/**
 * Whether a call of an orchestration failed: an activity, a step or a child, by an error or by a time limit. False for
 * mistakes of the code itself.
 *
 * @example
 * ```ts
 * const receipt = await ctx.scheduleActivity(charge, order).catch((error: unknown) => {
 *   if (!isCallFailure(error)) throw error;
 *   return undefined;
 * });
 * ```
 */
export function isCallFailure(
  error: unknown,
): error is ActivityFailedError | SubOrchestrationFailedError | TimeoutError {
  return ActivityFailedError.is(error) || SubOrchestrationFailedError.is(error) || TimeoutError.is(error);
}

function cancelMessage(reason: unknown): string {
  if (reason === undefined) return "the task was cancelled";
  return isError(reason) ? reason.message : String(reason);
}

/** The stack has only stored frames, because the frames of this process would differ in every replay. */
function stackInReplay({ name, message, details }: RemoteFailure, origin: string): string {
  return framesBelow(`${name}: ${message}`, origin, details);
}
