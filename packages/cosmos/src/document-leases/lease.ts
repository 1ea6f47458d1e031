/** What a holder has in hand: the proof, and the document as it was when it was leased. */
import type { PartitionKey } from "@azure/cosmos";

/** A document of anyone's container: an id, and whatever else it has. */
export type LeasableDocument = Readonly<Record<string, unknown>> & { readonly id: string };

/** Where a document is. Its id alone is enough where the container is partitioned by id, or `partitionKeyOf` is given. */
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
   * Until when the lease is certainly held, by the clock of this process: counted from before the request was sent. Stop
   * working, or renew, before. That nothing is written through a lease that was taken over does not rest on it.
   */
  readonly heldUntilMs: number;
  /** As it was when the lease was acquired, lease included. */
  readonly document: T;
}
