/** Deletes rows of histories. */

import type { Transaction } from "../commit/transaction.ts";
import type { SqlValue } from "../connection/database.ts";

/** Returns the number of events of the rows with this condition. A row has one or several. */
export function deleteEvents({ db }: Transaction, condition: string, ...values: SqlValue[]): number {
  const count = `SELECT coalesce(sum(event_count), 0) AS events FROM history WHERE ${condition}`;
  const events = db.get<{ events: number }>(count, ...values)?.events ?? 0;
  db.run(`DELETE FROM history WHERE ${condition}`, ...values);
  return events;
}
