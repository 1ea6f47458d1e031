/** Why a lease was refused. Failures of the service and invalid arguments are ProviderErrors. */

export type DocumentLeaseErrorCode =
  /** Another holder has a lease that has not expired. */
  | "held"
  /** The caller of a break or an update does not hold the lease, or no longer. */
  | "not-held"
  | "document-not-found"
  /** The lease property of the document has a value that is not a lease. */
  | "malformed-lease";

/** The fields of a DocumentLeaseError. */
export interface DocumentLeaseErrorOptions {
  readonly code: DocumentLeaseErrorCode;
  readonly documentId: string;
  /** A sentence that ends with what to do, if anything can be done. */
  readonly message: string;
  readonly heldBy?: string;
  readonly expiresInMs?: number;
}

/** A lease that was refused. Nothing was changed. The codes: docs/errors.md. */
export class DocumentLeaseError extends Error {
  override readonly name = "DocumentLeaseError";
  readonly code: DocumentLeaseErrorCode;
  readonly documentId: string;
  /** Name of the holder, with `held`. */
  readonly heldBy: string | undefined;
  /** Remaining time of the lease by the server's clock, with `held`. */
  readonly expiresInMs: number | undefined;

  constructor(options: DocumentLeaseErrorOptions) {
    super(options.message);
    this.code = options.code;
    this.documentId = options.documentId;
    this.heldBy = options.heldBy;
    this.expiresInMs = options.expiresInMs;
  }

  /** Recognises the error by its name, including errors of another copy of this package. */
  static is(value: unknown, code?: DocumentLeaseErrorCode): value is DocumentLeaseError {
    if (!(value instanceof Error) || value.name !== "DocumentLeaseError" || !("code" in value)) return false;
    return code === undefined || value.code === code;
  }
}
