/**
 * Work of a name that a fetch has no code for (docs/decisions/attempts-and-blocked-work.md).
 *
 * - left-work.N1: The first fetch without the code leaves the work: no lock, no attempt. `left_to` gets the name, and
 *   the version if one is pinned, and the row is due again after a head start.
 * - left-work.N2: A fetch with the code finds rows by `left_to`, due or not: also rows that were released as blocked,
 *   whatever their back-off. It ends the mark when it locks the row.
 * - left-work.N3: After the head start a fetch without the code locks the row, so that the runtime stores it as blocked
 *   and logs it.
 */
import { digestOfNames } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromText } from "./codec.ts";

/**
 * Head start of fetches of other processes, ms: they poll several times in it. Shorter than the patience of a developer
 * whose only process lacks a handler: the log says so after it.
 */
export const HEAD_START_MS = 1_000;

const nextName = (table: string): string =>
  `SELECT left_to AS name FROM ${table} WHERE left_to > ? ORDER BY left_to LIMIT 1`;

type Table = "instances" | "worker_queue";

const NEXT_NAME: Readonly<Record<Table, string>> = {
  instances: nextName("instances"),
  worker_queue: nextName("worker_queue"),
};

/**
 * The names that rows of the table are left to, as column values, as far as the caller has code for them. Steps from
 * one name to the next through the index, however many rows have it.
 */
export function leftNames(db: Database, table: Table, knows: (name: string) => boolean): readonly string[] {
  const names: string[] = [];
  let next = db.get<{ name: string }>(NEXT_NAME[table], "");
  while (next !== undefined) {
    if (knows(fromText(next.name))) names.push(next.name);
    next = db.get(NEXT_NAME[table], next.name);
  }
  return names;
}

/** A part of the name of a group of fetches. */
export function namesKey(names: ReadonlySet<string> | undefined): string {
  return names === undefined ? "any" : digestOfNames(names);
}
