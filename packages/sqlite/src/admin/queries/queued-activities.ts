/** Rows of the worker queue, in the order in which they were queued. */
import {
  describedText,
  PERMIT_TAG,
  type QueuedWork,
  type WorkQuery,
  waitingFor,
} from "@duroxide-ts/core/stores";
import type { Database } from "../../connection/database.ts";
import { heldBy } from "../../limits/permits.ts";
import { decodeActivity, fromText, RANKED_AT, toLane, toText } from "../../rows/codec.ts";
import { type Examined, examine, type QueuedRows } from "./examined-rows.ts";

export const ACTIVITIES_BEGINNING = 0;

/** The lane of calls with which instances wait for permits (limits/admit.ts). */
const PERMIT_LANE = toLane(PERMIT_TAG);

const COLUMNS = `w.id, w.lane, w.session_id, w.due_at, w.lock_token, w.attempt_count, w.queued_at, w.work_item,
  w.limit_key, i.instance_id, s.owner_id`;

const SESSION = "LEFT JOIN sessions AS s ON s.session_id = w.session_id";

const PAGE = `SELECT ${COLUMNS} FROM worker_queue AS w
  CROSS JOIN instances AS i ON i.instance_key = w.instance_key ${SESSION} WHERE w.id > ? ORDER BY w.id LIMIT ?`;

const PAGE_OF_INSTANCE = `SELECT ${COLUMNS} FROM instances AS i
  CROSS JOIN worker_queue AS w INDEXED BY worker_queue_activity ON w.instance_key = i.instance_key ${SESSION}
  WHERE i.instance_id = ? AND w.id > ? ORDER BY w.id LIMIT ?`;

interface QueuedActivityRow {
  readonly id: number;
  readonly lane: string;
  readonly session_id: string | null;
  readonly due_at: number;
  readonly lock_token: string | null;
  readonly attempt_count: number;
  readonly queued_at: number;
  readonly work_item: string;
  readonly limit_key: string | null;
  readonly instance_id: string;
  /** The worker that holds the session. */
  readonly owner_id: string | null;
}

export function activitiesAfter(
  db: Database,
  nowMs: number,
  query: WorkQuery,
  from: number,
  limit: number,
): QueuedRows {
  const { instanceId } = query;
  const isHeld = heldKeys(db, nowMs);
  return examine(limit, [from], ([after = 0], size) => {
    const rows =
      instanceId === undefined
        ? db.all<QueuedActivityRow>(PAGE, after, size)
        : db.all<QueuedActivityRow>(PAGE_OF_INSTANCE, toText(instanceId), after, size);
    return rows.map((row) => toExamined(row, nowMs, query, isHeld));
  });
}

/** Whether the limits of a key let none begin now; each key is looked at once. */
function heldKeys(db: Database, nowMs: number): (key: string) => boolean {
  const known = new Map<string, boolean>();
  return (key) => {
    const isHeld = known.get(key) ?? heldBy(db, key, nowMs) !== undefined;
    known.set(key, isHeld);
    return isHeld;
  };
}

function toExamined(
  row: QueuedActivityRow,
  nowMs: number,
  { overdueByMs, tag }: WorkQuery,
  isHeld: (key: string) => boolean,
): Examined {
  const place = [row.id];
  const isLocked = row.lock_token !== null && row.due_at > nowMs;
  const visibleAtMs = row.due_at > RANKED_AT && !isLocked ? row.due_at : row.queued_at;
  const hasTag = tag === undefined || row.lane === toLane(tag);
  const held = heldBack(row, isHeld);
  const isFree = !isLocked && held.limit === undefined;
  const isOverdue = overdueByMs === undefined || (isFree && visibleAtMs <= nowMs - overdueByMs);
  // The permit of an instance that runs is no work.
  const isPermit = isLocked && row.lane === PERMIT_LANE;
  if (!hasTag || !isOverdue || isPermit) return { place, row: undefined };
  const work: QueuedWork = {
    kind: "worker",
    instanceId: fromText(row.instance_id),
    ...describedText(row.work_item, decodeActivity),
    visibleAtMs,
    ...(isLocked && { lockedUntilMs: row.due_at }),
    ...(isLocked && row.owner_id !== null && { lockOwner: fromText(row.owner_id) }),
    attempts: row.attempt_count,
    ...(row.lane !== "" && { tag: fromText(row.lane.slice(1)) }),
    ...(row.session_id !== null && { session: fromText(row.session_id) }),
    ...held,
  };
  return { place, row: { orderMs: row.queued_at, place, work } };
}

function heldBack(
  { limit_key: key, due_at }: QueuedActivityRow,
  isHeld: (key: string) => boolean,
): Pick<QueuedWork, "limit" | "reason"> {
  if (key === null || due_at !== RANKED_AT || !isHeld(key)) return {};
  const limit = fromText(key);
  return { limit, reason: waitingFor(limit) };
}
