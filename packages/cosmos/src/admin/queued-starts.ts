/**
 * Deletes the queued starts of children together with their parents, because no parent would receive their results. A
 * child that is created meanwhile counts as a root.
 */
import type { Stored } from "../documents/body.ts";
import { toMessageRow } from "../documents/rows.ts";
import { hasKind } from "../documents/work-item-kind.ts";
import type { Call } from "../service/service.ts";

/** Reads every queued start of a child, so one query serves a whole deletion. */
const STARTS = `SELECT * FROM c WHERE c.type = 'orch_queue' AND ${hasKind("StartOrchestration")}
  AND CONTAINS(c.workItem, '"parent_instance":"')`;

/** Resolves to the number of deleted starts. */
export async function deleteQueuedStarts(call: Call, parents: ReadonlySet<string>): Promise<number> {
  if (parents.size === 0) return 0;
  let deleted = 0;
  for (const row of await call.queryAll<Stored>({ query: STARTS })) {
    const parent = parentIn(row);
    if (parent === undefined || !parents.has(parent)) continue;
    const operation = { kind: "delete", id: row.id, ifMatch: row._etag } as const;
    const outcome = await call.batch(String(row["instanceId"]), [operation]);
    if (outcome.ok) deleted++;
  }
  return deleted;
}

/** `undefined` for a row that cannot be decoded; a fetch sets it aside. */
function parentIn(row: Stored): string | undefined {
  try {
    const { item } = toMessageRow(row);
    return item.kind === "StartOrchestration" ? (item.parent_instance ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}
