/** Deletions on a full disk: they may use the reserve (connection/disk-reserve.ts), and give the room back that they make. */
import { ProviderError } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import type { Store } from "../store.ts";
import { giveBack } from "./compaction.ts";

/** Writes a deletion. */
export async function makeRoom<T>(store: Store, name: string, deletion: WriteOperation<T>): Promise<T> {
  const deleted = await writeWithReserve(store, name, deletion);
  if (store.diskReserve.isGiven) {
    await giveBack(store);
    // Only a checkpoint shortens the file.
    await store.read(name, (db) => db.all("PRAGMA wal_checkpoint(PASSIVE)"));
  }
  return deleted;
}

async function writeWithReserve<T>(store: Store, name: string, deletion: WriteOperation<T>): Promise<T> {
  const { diskReserve } = store;
  const { timesGiven } = diskReserve;
  try {
    return await store.write(name, deletion);
  } catch (error) {
    if (!ProviderError.is(error) || error.code !== "store-full") throw error;
    diskReserve.give();
    // Also if it was given for another deletion that failed at the same time.
    if (diskReserve.timesGiven === timesGiven) throw error;
    return store.write(name, deletion);
  }
}
