/** Removes all items of one logical partition, at one position. */
import { deleteCharge } from "../charges/item-charges.ts";
import type { ContainerState, LogicalPartition } from "../container-state.ts";

export interface DeletePartitionResult {
  readonly deleted: number;
  readonly charge: number;
  readonly lsn: number;
  readonly rangeId: string;
}

export function deletePartition(
  state: ContainerState,
  { text, partition }: LogicalPartition,
): DeletePartitionResult {
  return state.store.write((transaction) => {
    const rows = state.table.allOf(text);
    let charge = 1;
    for (const row of rows) {
      const position = transaction.next(partition);
      state.table.remove(row.seq);
      transaction.record(partition, position, { seq: row.seq, before: row }, undefined);
      charge += deleteCharge(row.terms, Buffer.byteLength(row.body));
    }
    return {
      deleted: rows.length,
      charge,
      lsn: transaction.lsnOf(partition),
      rangeId: partition.id,
    };
  });
}
