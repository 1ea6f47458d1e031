/** ETags: quoted, opaque to clients, another one for each write (docs/reference/cosmos-protocol.md §1.16). */

/** The numbers that make a write unlike every other of its store. */
export interface WriteIdentity {
  /** Position of the write in its partition. */
  readonly lsn: number;
  /** Number of the write among those that share this position. */
  readonly ordinal: number;
  /** Tells the resource's owner from one that was deleted and created again. */
  readonly owner: number;
  /** Seconds since the epoch; the last group of the service's etags begins with it. */
  readonly timestamp: number;
}

export function formatEtag({ lsn, ordinal, owner, timestamp }: WriteIdentity): string {
  const high = Math.floor(lsn / 2 ** 32);
  return `"${hex(lsn % 2 ** 32, 8)}-${hex(ordinal, 4)}-${hex(0x100 + high, 4)}-${hex(owner % 2 ** 16, 4)}-${hex(timestamp, 8)}0000"`;
}

/** Tells whether an `If-Match` or `If-None-Match` names this etag. */
export function matchesEtag(condition: string, etag: string): boolean {
  return condition === etag || condition === "*";
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
