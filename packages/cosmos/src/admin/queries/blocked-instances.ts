/** The blocked work of some instances, or of all. */
import type { Blocked } from "@duroxide-ts/core";
import { BLOCKED_COLUMNS, type BlockedDocument, IS_BLOCKED, toBlocked } from "../../documents/blocked.ts";
import type { Work } from "../../memory/parts.ts";

const ALL = `SELECT ${BLOCKED_COLUMNS} FROM c WHERE ${IS_BLOCKED}`;

/** The longest block of each instance. */
export type BlockedInstances = ReadonlyMap<string, Blocked>;

export async function blockedInstances(work: Work, ids?: readonly string[]): Promise<BlockedInstances> {
  if (ids?.length === 0) return new Map();
  const found =
    ids === undefined
      ? await work.queryAll<BlockedDocument>(ALL)
      : await work.queryAll<BlockedDocument>(`${ALL} AND ARRAY_CONTAINS(@ids, c.instanceId)`, {
          "@ids": ids,
        });
  const longest = new Map<string, Blocked>();
  for (const document of found) {
    const blocked = toBlocked(document);
    const known = longest.get(blocked.instanceId);
    if (known === undefined || isLonger(blocked, known)) longest.set(blocked.instanceId, blocked);
  }
  return longest;
}

/** If both began at the same time, the instance comes before its activities. */
function isLonger(blocked: Blocked, known: Blocked): boolean {
  if (blocked.sinceMs !== known.sinceMs) return blocked.sinceMs < known.sinceMs;
  return blocked.activity === undefined;
}
