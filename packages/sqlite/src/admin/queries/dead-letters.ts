/** Rows that could not be decoded, newest first. */
import {
  checkDeadLetterQuery,
  continuationOf,
  DEFAULT_PAGE,
  type DeadLetter,
  type DeadLetterPage,
  type DeadLetterQuery,
  positionOf,
} from "@duroxide-ts/core/stores";
import type { Database } from "../../connection/database.ts";
import { fromText } from "../../rows/codec.ts";

const OPERATION = "listDeadLetters";
const QUERY = { list: OPERATION };

const PAGE = `SELECT id, queue, instance_id, work_item, reason, moved_at FROM dead_letters
  WHERE id < ? ORDER BY id DESC LIMIT ?`;

export interface DeadLetterRow {
  readonly id: number;
  readonly queue: "orchestrator_queue" | "worker_queue";
  readonly instance_id: string;
  readonly work_item: string;
  readonly reason: string;
  readonly moved_at: number;
}

export function listDeadLetters(db: Database, query: DeadLetterQuery = {}): DeadLetterPage {
  checkDeadLetterQuery(OPERATION, query);
  const { limit = DEFAULT_PAGE, continuation } = query;
  const isPlace = ([id]: readonly unknown[]): boolean => Number.isSafeInteger(id);
  const [before = Number.MAX_SAFE_INTEGER] = positionOf(OPERATION, QUERY, continuation, isPlace) ?? [];
  const rows = db.all<DeadLetterRow>(PAGE, before, limit + 1);
  const page = rows.slice(0, limit);
  const deadLetters = page.map(toDeadLetter);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { deadLetters };
  return { deadLetters, continuation: continuationOf(QUERY, [last.id]) };
}

function toDeadLetter(row: DeadLetterRow): DeadLetter {
  return {
    id: String(row.id),
    kind: row.queue === "worker_queue" ? "worker" : "orchestrator",
    instanceId: fromText(row.instance_id),
    reason: fromText(row.reason),
    movedAtMs: row.moved_at,
    text: row.work_item,
  };
}
