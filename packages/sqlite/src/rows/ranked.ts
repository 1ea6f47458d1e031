/**
 * Activities with a limit or a priority of their own (docs/decisions/limits.md). `limit_key` is the key of their limits,
 * '' without one, and NULL for all others, whose place is their age.
 *
 * - ranked.K1: One that waits has `due_at` 1, so that the search for what is due, which every fetch makes, finds that
 *   there are any, and no other statement reads them.
 * - ranked.K2: The lock of a row is its permit: it counts while it is valid.
 */

/** `worker_queue.due_at` of one that waits. */
export const RANKED_AT = 1;

/** The key of those that have only a priority. */
export const NO_KEY = "";

/** The time in lock tokens of ranked activities; others have 0. */
export const RANKED_TOKEN = 1;

/** Columns of a ranked row that an operation has changed; `limit_key` is NULL for others. */
export interface RankedRow {
  readonly limit_key: string | null;
  readonly lane: string;
  readonly priority: number | null;
  readonly queued_at: number;
}
