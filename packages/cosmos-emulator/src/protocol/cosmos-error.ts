/** Refusals of the service, with status and sub-status (docs/reference/cosmos-protocol.md §2.1). */

/** Parts of an error answer. */
export interface CosmosErrorOptions {
  readonly status: number;
  /** Sent as `x-ms-substatus`. */
  readonly substatus?: number;
  /** The `code` of the body, such as "NotFound". */
  readonly code: string;
  readonly message: string;
  /** Request units that the refused request costs all the same. */
  readonly charge?: number;
  /** Sent as `x-ms-retry-after-ms`. */
  readonly retryAfterMs?: number;
  /** The query plan that goes with 400/1004. */
  readonly additionalErrorInfo?: string;
  /** Position of the partition where an item's operation was refused: the caller has seen the writes until there. */
  readonly position?: PartitionPosition;
  readonly cause?: unknown;
}

/** A physical partition, and its latest write. */
export interface PartitionPosition {
  readonly rangeId: string;
  readonly lsn: number;
}

/** Thrown anywhere below the gateway, which turns it into an answer. */
export class CosmosError extends Error {
  override readonly name = "CosmosError";
  readonly status: number;
  readonly substatus: number | undefined;
  readonly code: string;
  readonly charge: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly additionalErrorInfo: string | undefined;
  readonly position: PartitionPosition | undefined;

  constructor(options: CosmosErrorOptions) {
    super(options.message, { cause: options.cause });
    this.status = options.status;
    this.substatus = options.substatus;
    this.code = options.code;
    this.charge = options.charge;
    this.retryAfterMs = options.retryAfterMs;
    this.additionalErrorInfo = options.additionalErrorInfo;
    this.position = options.position;
  }

  /** Returns the same refusal with what was not known where it was thrown. */
  completedWith(known: Pick<CosmosErrorOptions, "charge" | "position">): CosmosError {
    const { status, substatus, code, message, retryAfterMs, additionalErrorInfo, cause } = this;
    const charge = this.charge ?? known.charge;
    const position = this.position ?? known.position;
    return new CosmosError({
      status,
      code,
      message,
      cause,
      ...(substatus !== undefined && { substatus }),
      ...(charge !== undefined && { charge }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(additionalErrorInfo !== undefined && { additionalErrorInfo }),
      ...(position !== undefined && { position }),
    });
  }

  /** Refuses a feature of the service, in the plural, that the endpoint does not have. */
  static notImplemented(features: string): CosmosError {
    const message = `${features} are not implemented by this endpoint. Use an account of Azure for them.`;
    return new CosmosError({ status: 501, code: "NotImplemented", message, charge: 0 });
  }

  static badRequest(message: string, more: Partial<CosmosErrorOptions> = {}): CosmosError {
    return new CosmosError({ status: 400, code: "BadRequest", message, ...more });
  }

  static notFound(message: string, more: Partial<CosmosErrorOptions> = {}): CosmosError {
    return new CosmosError({ status: 404, code: "NotFound", message, ...more });
  }

  static conflict(message: string, more: Partial<CosmosErrorOptions> = {}): CosmosError {
    return new CosmosError({ status: 409, code: "Conflict", message, ...more });
  }

  static preconditionFailed(message: string, more: Partial<CosmosErrorOptions> = {}): CosmosError {
    return new CosmosError({ status: 412, code: "PreconditionFailed", message, ...more });
  }
}
