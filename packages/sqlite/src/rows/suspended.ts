/** A suspension as a column (docs/reference/provider-contract.md §15.2). Its time is a column of its own. */
import { readSuspended, type Suspended, storedJson } from "@duroxide-ts/core/stores";

/** A suspension as columns. */
export interface SuspendedColumns {
  readonly suspended_since: number | null;
  readonly suspended: string | null;
}

export function toSuspendedColumns(suspended: Suspended | null): SuspendedColumns {
  if (suspended === null) return { suspended_since: null, suspended: null };
  const { sinceMs, reason, by } = suspended;
  return { suspended_since: sinceMs, suspended: JSON.stringify({ sinceMs, reason, by }) };
}

export function parseSuspended(text: string): Suspended {
  return readSuspended(storedJson(text));
}
