/**
 * Takes back a lone run whose lock was lost (docs/reference/provider-contract.md §8.2). A process that holds the row finds
 * a new ETag, reads the row again and goes on (lease L2).
 */
import { NOTES_FIELD, toBody } from "../documents/body.ts";
import { notesOf, toActivityRow } from "../documents/rows.ts";
import { parseActivityToken } from "../leases/lock-token.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "withdrawLoneRun";

export async function withdrawLoneRun(service: Service, lockToken: string): Promise<void> {
  const { instanceId, rowId } = parseActivityToken(OPERATION, lockToken);
  const call = service.call(OPERATION, WRITE_PATIENCE_MS);
  for (let attempts = 1; ; attempts++) {
    const stored = await call.read(instanceId, rowId);
    if (stored === undefined) return;
    const row = toActivityRow(stored);
    const notes = notesOf(row.document);
    const loneRuns = Number(notes.alone ?? 0);
    if (loneRuns === 0) return;
    const { alone: _, ...others } = notes;
    const left = loneRuns > 1 ? { ...others, alone: loneRuns - 1 } : others;
    const body = { ...toBody(row.document), [NOTES_FIELD]: left };
    const outcome = await call.batch(instanceId, [{ kind: "replace", id: row.id, body, ifMatch: row.etag }]);
    if (outcome.ok) return;
    await call.again(attempts);
  }
}
