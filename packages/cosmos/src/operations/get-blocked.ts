/** The blocked work of an instance: one query of its partition (docs/reference/provider-contract.md §8.1). */
import type { Blocked } from "@duroxide-ts/core";
import { BLOCKED_COLUMNS, type BlockedDocument, IS_BLOCKED, toBlocked } from "../documents/blocked.ts";
import { READ_PATIENCE_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";

const QUERY = `SELECT ${BLOCKED_COLUMNS} FROM c WHERE ${IS_BLOCKED}`;

export async function getBlocked(service: Service, instanceId: string): Promise<readonly Blocked[]> {
  const call = service.call("getBlocked", READ_PATIENCE_MS);
  const found = await call.query<BlockedDocument>(instanceId, { query: QUERY });
  const blocked = found.map(toBlocked);
  return blocked.toSorted((a, b) => rankOf(a) - rankOf(b) || a.sinceMs - b.sinceMs);
}

/** The instance itself comes first. */
function rankOf({ activity }: Blocked): number {
  return activity === undefined ? 0 : 1;
}
