/** Stores what a turn writes to streams, but for closed ones (docs/reference/provider-contract.md §13.1). */
import type { StreamChange } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import { fromText, toText } from "../rows/codec.ts";
import type { LockedInstance } from "../rows/instance-row.ts";
import { addTo, streamOf } from "../streams/stream-rows.ts";

export function storeStreams(
  tx: Transaction,
  { instance_key: key, instance_id: id }: LockedInstance,
  changes: readonly StreamChange[],
): void {
  for (const change of changes) {
    const stream = streamOf(tx.db, key, toText(change.stream));
    if (stream.closed === 1) continue;
    addTo(tx, stream, change);
    tx.effects.touchStream(fromText(id), change.stream);
  }
}
