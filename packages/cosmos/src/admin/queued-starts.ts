/**
 * Starts of children that wait in the queue go with their parents: nobody would take their results. A child that is
 * created all the same, meanwhile, counts as a root.
 */

import type { Stored } from "../documents/body.ts";

import { toMessageRow } from "../documents/rows.ts";

import type { Call } from "../service/service.ts";

/** Reads every start of a child that waits, so it is asked once for all that is deleted. */
const STARTS = `SELECT * FROM c WHERE c.type = 'orch_queue' AND STARTSWITH(c.workItem, '{"StartOrchestration"')
  AND CONTAINS(c.workItem, '"parent_instance":"')`;

/** Resolves to their number. */
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

/** What cannot be decoded is put aside by those who fetch. */
function parentIn(row: Stored): string | undefined {
  try {
    const { item } = toMessageRow(row);
    return item.kind === "StartOrchestration" ? (item.parent_instance ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}
