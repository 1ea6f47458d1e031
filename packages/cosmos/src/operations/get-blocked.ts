/** What of an instance waits for fitting code: one query of its partition (docs/reference/provider-contract.md §8.1). */
import type { Blocked } from "@duroxide-ts/core/stores";
import { BLOCKED_COLUMNS, type BlockedDocument, IS_BLOCKED, toBlocked } from "../schema/blocked.ts";
import { READ_PATIENCE_MS } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";

const QUERY = `SELECT ${BLOCKED_COLUMNS} FROM c WHERE ${IS_BLOCKED}`;

export async function getBlocked(store: Store, instanceId: string): Promise<readonly Blocked[]> {
  const call = store.requests.call("getBlocked", READ_PATIENCE_MS);
  const found = await store.requests.query<BlockedDocument>(call, instanceId, { query: QUERY });
  const blocked = found.map(toBlocked);
  return blocked.toSorted((a, b) => rankOf(a) - rankOf(b) || a.sinceMs - b.sinceMs);
}

/** The instance itself comes first. */
function rankOf({ activity }: Blocked): number {
  return activity === undefined ? 0 : 1;
}
