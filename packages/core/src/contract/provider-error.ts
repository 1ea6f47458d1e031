/**
 * The only error that providers throw. `retryable` means that the same call may succeed later without any change (a
 * busy store, a throttled service). All other errors are permanent.
 */
export type ProviderErrorCode =
  /** The store was busy, throttled or could not be reached; retryable. */
  | "unavailable"
  /** The lock token is unknown, was used already, or its lock has expired. */
  | "lock-lost"
  /** An event with this id exists already in the execution. */
  | "duplicate-event"
  | "instance-not-found"
  | "instance-still-running"
  /** A child can be deleted only with its root. */
  | "sub-orchestration"
  /** Stored data cannot be decoded. */
  | "corrupt-data"
  /** The caller passed something that the contract forbids. */
  | "invalid-input"
  /** The provider was closed. */
  | "closed"
  /** The store cannot be opened: no access, not a database, written by a newer version; over HTTP, a wrong address. */
  | "cannot-open"
  /** The store has no space left. */
  | "store-full"
  /** The store was opened for reading, or may not be written. */
  | "read-only"
  /** The opened store does not exist any more: deleted, or replaced by another store. */
  | "store-gone"
  /** The store cannot do this, or not what the call asks of it. */
  | "unsupported"
  | "internal";

/** The parts of a ProviderError. */
export interface ProviderErrorOptions {
  readonly code: ProviderErrorCode;
  /** The contract method, in its TypeScript spelling. */
  readonly operation: string;
  /** A sentence that ends with what to do, if something can be done. */
  readonly message: string;
  /** Defaults to true for `unavailable`, false for the rest. */
  readonly retryable?: boolean;
  /** The id of the message that was being sent. */
  readonly messageId?: string;
  readonly cause?: unknown;
}

/** The error of every method of a store. The codes: docs/errors.md. The factories are for authors of stores. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;
  readonly operation: string;
  /** The message without the operation in front. */
  readonly detail: string;
  readonly retryable: boolean;
  /** Set by `raise` and `enqueue`: a repetition with this id delivers the message once. */
  readonly messageId: string | undefined;

  constructor(options: ProviderErrorOptions) {
    super(`${options.operation}: ${options.message}`, { cause: options.cause });
    this.code = options.code;
    this.operation = options.operation;
    this.detail = options.message;
    this.messageId = options.messageId;
    this.retryable = options.retryable ?? options.code === "unavailable";
  }

  /** The caller does not have the lock, or has lost it. */
  static lockLost(operation: string): ProviderError {
    return new ProviderError({
      code: "lock-lost",
      operation,
      message: "Invalid lock token: it is unknown, was used already, or its lock has expired",
    });
  }

  /** Nothing of the call is stored. */
  static duplicateEvent(operation: string, executionId: number, eventId: number): ProviderError {
    return new ProviderError({
      code: "duplicate-event",
      operation,
      message: `event ${eventId} of execution ${executionId} is stored already; nothing was changed`,
    });
  }

  /** No such instance, or no such execution of it if one is given. */
  static notFound(operation: string, instanceId: string, executionId?: number): ProviderError {
    const instance = `instance ${JSON.stringify(instanceId)}`;
    const what = executionId === undefined ? instance : `execution ${executionId} of ${instance}`;
    return new ProviderError({ code: "instance-not-found", operation, message: `${what} not found` });
  }

  /** Deleting without force. */
  static stillRunning(operation: string, instanceId: string): ProviderError {
    return new ProviderError({
      code: "instance-still-running",
      operation,
      message: `instance ${JSON.stringify(instanceId)} is still running; cancel it first, or delete with force`,
    });
  }

  /** Deleting a child alone. */
  static isChild(operation: string, instanceId: string, parentId: string): ProviderError {
    return new ProviderError({
      code: "sub-orchestration",
      operation,
      message: `instance ${JSON.stringify(instanceId)} is a sub-orchestration of ${JSON.stringify(parentId)}; delete the root instead`,
    });
  }

  /** Recognises the error by its name, also when it comes from another copy of this package. */
  static is(value: unknown, code?: ProviderErrorCode): value is ProviderError {
    if (!(value instanceof Error) || value.name !== "ProviderError" || !("retryable" in value)) return false;
    return code === undefined || (value as ProviderError).code === code;
  }
}
