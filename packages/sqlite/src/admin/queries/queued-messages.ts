/** Rows of the orchestrator queue, in the order in which they become visible. */
import { describedText, type QueuedWork, type WorkQuery } from "@duroxide-ts/core/stores";
import type { Database } from "../../connection/database.ts";
import { decodeOrchestratorItem, fromText, toText } from "../../rows/codec.ts";
import { type Examined, examine, type QueuedRows } from "./examined-rows.ts";

/** Messages that an execution returned have a negative time. */
export const MESSAGES_BEGINNING: readonly [number, number] = [Number.MIN_SAFE_INTEGER, 0];

const COLUMNS = `q.id, q.visible_at, q.work_item, q.attempt_count, i.instance_id, i.lock_token, i.due_at, i.updated_at, i.suspended_since`;

const PAGE = `SELECT ${COLUMNS} FROM orchestrator_queue AS q INDEXED BY orchestrator_queue_by_time
  CROSS JOIN instances AS i ON i.instance_key = q.instance_key
  WHERE (q.visible_at, q.id) > (?, ?) AND q.visible_at <= ? ORDER BY q.visible_at, q.id LIMIT ?`;

const PAGE_OF_INSTANCE = `SELECT ${COLUMNS} FROM instances AS i
  CROSS JOIN orchestrator_queue AS q INDEXED BY orchestrator_queue_visible ON q.instance_key = i.instance_key
  WHERE i.instance_id = ? AND (q.visible_at, q.id) > (?, ?) AND q.visible_at <= ?
  ORDER BY q.visible_at, q.id LIMIT ?`;

interface QueuedMessageRow {
  readonly id: number;
  readonly visible_at: number;
  readonly work_item: string;
  readonly attempt_count: number;
  readonly instance_id: string;
  readonly lock_token: string | null;
  readonly due_at: number | null;
  readonly updated_at: number;
  readonly suspended_since: number | null;
}

export function messagesAfter(
  db: Database,
  nowMs: number,
  { instanceId, overdueByMs }: WorkQuery,
  from: readonly number[],
  limit: number,
): QueuedRows {
  const visibleUntilMs = overdueByMs === undefined ? Number.MAX_SAFE_INTEGER : nowMs - overdueByMs;
  return examine(limit, from, ([afterMs = 0, afterId = 0], size) => {
    const rest = [afterMs, afterId, visibleUntilMs, size] as const;
    const rows =
      instanceId === undefined
        ? db.all<QueuedMessageRow>(PAGE, ...rest)
        : db.all<QueuedMessageRow>(PAGE_OF_INSTANCE, toText(instanceId), ...rest);
    return rows.map((row) => toExamined(row, nowMs, overdueByMs));
  });
}

function toExamined(row: QueuedMessageRow, nowMs: number, overdueByMs: number | undefined): Examined {
  const place = [row.visible_at, row.id];
  const visibleAtMs = row.visible_at < 0 ? row.updated_at : row.visible_at;
  const lockedUntilMs =
    row.lock_token !== null && row.due_at !== null && row.due_at > nowMs ? row.due_at : undefined;
  const isFree = lockedUntilMs === undefined && row.suspended_since === null;
  const isOverdue = overdueByMs === undefined || (isFree && visibleAtMs <= nowMs - overdueByMs);
  if (!isOverdue) return { place, row: undefined };
  const work: QueuedWork = {
    kind: "orchestrator",
    instanceId: fromText(row.instance_id),
    ...describedText(row.work_item, decodeOrchestratorItem),
    visibleAtMs,
    ...(lockedUntilMs !== undefined && { lockedUntilMs }),
    ...(row.suspended_since !== null && { suspended: true }),
    attempts: row.attempt_count,
  };
  return { place, row: { orderMs: visibleAtMs, place, work } };
}
