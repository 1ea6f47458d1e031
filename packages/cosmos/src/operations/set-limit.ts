/** Replaces or removes the rule of a key (docs/reference/provider-contract.md §12.1). */
import { groupOfKey, type LimitChange, type StoredLimit } from "@duroxide-ts/core/stores";
import { limitRuleDocumentId, limitsPartition } from "../documents/ids.ts";
import { type RuleDocument, ruleBody, toRuleDocument } from "../documents/limit-documents.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";

const OPERATION = "setLimit";

export async function setLimit(parts: Parts, givenKey: string, change: LimitChange): Promise<void> {
  const key = givenKey.toWellFormed();
  const work = new Work(parts, OPERATION, WRITE_PATIENCE_MS);
  const id = limitRuleDocumentId(key);
  for (let attempt = 1; ; attempt++) {
    const stored = await work.read(limitsPartition(key), id);
    const before = stored && toRuleDocument(stored);
    const after = changed(key, before, change, parts.clock.now());
    if (after === undefined) return;
    const body = ruleBody(after);
    const write: BatchOperation =
      before === undefined ? { kind: "create", body } : { kind: "replace", id, body, ifMatch: before.etag };
    const outcome = await work.batch(limitsPartition(key), [write]);
    if (outcome.ok) break;
    await work.again(attempt);
  }
  parts.memory.permits.readAgain(key);
  parts.memory.startAsks.delete(groupOfKey(key));
  parts.memory.waitingForTurns.notify();
  parts.memory.waitingForActivities.notify();
}

/** Undefined if code has stored the same before, or there was nothing to remove. */
function changed(
  key: string,
  before: RuleDocument | undefined,
  { rule, perMs, by, reason, applied }: LimitChange,
  nowMs: number,
): Omit<RuleDocument, "etag"> | undefined {
  if (applied !== undefined && before?.applied === applied) return undefined;
  const kept = { key, applied: applied ?? before?.applied };
  if (applied !== undefined && JSON.stringify(before?.limit?.rule) === applied)
    return { ...kept, limit: before?.limit };
  if (rule === undefined && before === undefined) return undefined;
  const record = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
  const limit: StoredLimit | undefined = rule && { key, rule, perMs, ...record, changedAtMs: nowMs };
  return { ...kept, limit };
}
