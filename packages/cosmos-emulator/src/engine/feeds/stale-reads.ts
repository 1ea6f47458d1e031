/**
 * Reads that see a physical partition some writes ago, as a replica that lags behind does: the writes are undone,
 * the read runs, and everything is put back.
 */
import type { ContainerState } from "../container-state.ts";
import type { Partition } from "../store/partition.ts";

/**
 * Runs `read` on the state before the latest `writes` writes of each partition, at most as many as the journal
 * remembers.
 */
export function readBehind<T>(
  state: ContainerState,
  partitions: readonly Partition[],
  writes: number,
  read: () => T,
): T {
  const changes = partitions.flatMap(({ journal }) => journal.latest(writes));
  if (changes.length === 0) return read();
  return state.store.connection.pretend(() => {
    for (const { seq, before } of changes) {
      state.table.remove(seq);
      if (before !== undefined) state.table.restore(before);
    }
    return read();
  });
}
