/** Adds values of a running activity to a stream of its instance (docs/reference/provider-contract.md §13.1). */
import { type AppendOutcome, checkAppend, type StreamAppend } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { ownerOf } from "../streams/owner.ts";
import { addTo, streamOf } from "../streams/stream-rows.ts";

const OPERATION = "appendStream";

export function appendStream(append: StreamAppend): WriteOperation<AppendOutcome> {
  checkAppend(OPERATION, append);
  const { stream, instanceId, writer } = append;
  const findOwner = ownerOf(OPERATION, instanceId, writer.lockToken);
  // Copied, because the caller may change its object before the operation runs.
  const addition = { ...append, values: [...append.values] };
  return (tx) => {
    const { instance_key: key } = findOwner(tx.db);
    const row = streamOf(tx.db, key, toText(stream));
    if (row.closed === 1) return "closed";
    addTo(tx, row, addition);
    tx.effects.touchStream(instanceId, stream);
    return "stored";
  };
}
