/** Progress of running activities (docs/reference/provider-contract.md §13.2). */
import type { ProgressReport, StoredProgress } from "../../../contract/progress.ts";
import { ProviderError } from "../../../contract/provider-error.ts";
import { attemptNumber } from "../../../contract/stream-attempts.ts";
import { findLockedActivity } from "../locks.ts";
import type { ProgressRow, Store } from "../store.ts";

const OPERATION = "reportProgress";

export function reportProgress(
  store: Store,
  { instanceId, executionId, value, writer }: ProgressReport,
): void {
  const owner = findLockedActivity(store, OPERATION, writer.lockToken);
  if (owner.instanceId !== instanceId) throw ProviderError.lockLost(OPERATION);
  const rows = store.progress.get(instanceId) ?? new Map<string, ProgressRow>();
  const last = rows.get(writer.call);
  // An execution that begins to report removes what earlier ones have left.
  if (last === undefined)
    for (const [call, row] of rows) if (row.executionId < executionId) rows.delete(call);
  const attempt = attemptNumber(writer, last);
  const { call, name, delivery } = writer;
  rows.set(call, { call, name, delivery, attempt, executionId, value, atMs: store.clock.now() });
  store.progress.set(instanceId, rows);
}

export function readProgress(store: Store, instanceId: string, call?: string): readonly StoredProgress[] {
  const rows = [...(store.progress.get(instanceId)?.values() ?? [])];
  return rows
    .filter((row) => call === undefined || row.call === call)
    .map(({ delivery: _delivery, executionId: _execution, ...progress }) => progress);
}
