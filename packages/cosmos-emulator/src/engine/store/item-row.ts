/**
 * A row of a container's table of items as it is read. Its column `id` is not among them: Node 22 cuts texts that it
 * reads at a NUL, which an id may contain. The id is therefore read from the body, where a NUL is escaped.
 */
export interface ItemRow {
  /** Order of insertion, over the whole container. */
  readonly seq: number;
  /** Canonical text of the partition key. */
  readonly pk: string;
  /** Effective partition key. */
  readonly epk: string;
  /** The JSON that is answered, system properties included. */
  readonly body: string;
  readonly etag: string;
  /** Seconds since the epoch. */
  readonly ts: number;
  /** Position of the last write in its physical partition. */
  readonly lsn: number;
  /** Milliseconds since the epoch; null if it never expires. */
  readonly expires_at: number | null;
  /** Values that the indexing policy covers. */
  readonly terms: number;
}
