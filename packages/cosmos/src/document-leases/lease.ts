/** The lease of a holder: its token, and the document as it was when it was leased. */
import type { PartitionKey } from "@azure/cosmos";

/** A document of any container: an id, and any other properties. */
export type LeasableDocument = Readonly<Record<string, unknown>> & { readonly id: string };

/** The address of a document. Its id is enough if the container is partitioned by id, or with `partitionKeyOf`. */
export type DocumentAddress = string | { readonly id: string; readonly partitionKey: PartitionKey };

/** A document that is leased. Times that end in AtMs are the server's, ms since the epoch. */
export interface Lease<T = LeasableDocument> {
  readonly id: string;
  readonly partitionKey: PartitionKey;
  readonly holder: string;
  /**
   * Fences off earlier holders: it grows whenever the document gets another holder, or is leased again after its lease
   * ended, and stays the same when the holder renews. A resource that has seen a larger one must refuse a smaller one.
   */
  readonly token: number;
  readonly acquiredAtMs: number;
  readonly durationMs: number;
  /**
   * End of the time for which the lease is certainly held, by the clock of this process: counted from before the
   * request was sent. Stop working, or renew, before that time. The check of `update` does not depend on it.
   */
  readonly heldUntilMs: number;
  /** The document when the lease was acquired, including the lease. */
  readonly document: T;
}
