/** The reports of worker processes. Each report removes those that are too old. */
import {
  readWorker,
  storedJson,
  WORKER_LISTED_MS,
  type Worker,
  type WorkerReport,
} from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../../commit/transaction.ts";
import type { Database } from "../../connection/database.ts";
import { fromText, toText } from "../../rows/codec.ts";

const LIST = "SELECT worker_id, report, last_seen_at FROM workers WHERE last_seen_at > ? ORDER BY worker_id";
const FORGET = "DELETE FROM workers WHERE last_seen_at <= ?";
const REPORT = `INSERT INTO workers (worker_id, report, last_seen_at) VALUES (?1, ?2, ?3)
  ON CONFLICT (worker_id) DO UPDATE SET report = excluded.report, last_seen_at = excluded.last_seen_at`;
const REMOVE = "DELETE FROM workers WHERE worker_id = ?";

export function listWorkers(db: Database, nowMs: number): readonly Worker[] {
  const rows = db.all<{ worker_id: string; report: string; last_seen_at: number }>(
    LIST,
    nowMs - WORKER_LISTED_MS,
  );
  return rows.map(({ worker_id: id, report, last_seen_at: seenAtMs }) =>
    readWorker(fromText(id), storedJson(fromText(report)), seenAtMs),
  );
}

export function reportWorker(workerId: string, report: WorkerReport | undefined): WriteOperation<void> {
  const id = toText(workerId);
  const text = report === undefined ? undefined : toText(JSON.stringify({ workerId, ...report }));
  return (tx) => {
    tx.db.run(FORGET, tx.nowMs - WORKER_LISTED_MS);
    if (text === undefined) tx.db.run(REMOVE, id);
    else tx.db.run(REPORT, id, text, tx.nowMs);
  };
}
