/** Rows that are deleted without having been acknowledged. */
import type { Transaction } from "../commit/transaction.ts";
import { RANKED_AT } from "../rows/codec.ts";
import { endPermit, leaveQueue } from "./queues.ts";

export interface LeavingRow {
  readonly limit_key: string | null;
  readonly lane: string;
  readonly due_at: number;
}

/** Called after their deletion. */
export function leaveLimits(tx: Transaction, rows: readonly LeavingRow[]): void {
  for (const { limit_key: key, lane, due_at } of rows) {
    if (key === null) continue;
    if (due_at === RANKED_AT) leaveQueue(tx, key, lane);
    else endPermit(tx, key);
  }
}
