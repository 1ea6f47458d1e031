/** Why a lease was refused. What the service could not do, and bad arguments, are ProviderErrors as everywhere. */

export type DocumentLeaseErrorCode =
  /** Somebody else holds a lease that has not expired. */
  | "held"
  /** Whoever breaks the lease, or updates through it, does not hold it (any more). */
  | "not-held"
  | "document-not-found"
  /** The document has something in the place of the lease that is none. */
  | "malformed-lease";

/** What a DocumentLeaseError is made of. */
export interface DocumentLeaseErrorOptions {
  readonly code: DocumentLeaseErrorCode;
  readonly documentId: string;
  /** A sentence that ends in what to do, where something can be done. */
  readonly message: string;
  readonly heldBy?: string;
  readonly expiresInMs?: number;
}

/** A lease that was refused. Nothing was changed. The codes: docs/errors.md. */
export class DocumentLeaseError extends Error {
  override readonly name = "DocumentLeaseError";
  readonly code: DocumentLeaseErrorCode;
  readonly documentId: string;
  /** With `held`: who holds it. */
  readonly heldBy: string | undefined;
  /** With `held`: for how long still, by the server's clock. */
  readonly expiresInMs: number | undefined;

  constructor(options: DocumentLeaseErrorOptions) {
    super(options.message);
    this.code = options.code;
    this.documentId = options.documentId;
    this.heldBy = options.heldBy;
    this.expiresInMs = options.expiresInMs;
  }

  /** Recognises the error by its name, also when it comes from another copy of this package. */
  static is(value: unknown, code?: DocumentLeaseErrorCode): value is DocumentLeaseError {
    if (!(value instanceof Error) || value.name !== "DocumentLeaseError" || !("code" in value)) return false;
    return code === undefined || value.code === code;
  }
}
