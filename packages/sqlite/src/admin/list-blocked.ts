/** Blocked work, longest first, a page at a time; at the same time instances come before activities. Or of one instance. */
import {
  type Blocked,
  type BlockedPage,
  checkListBlocked,
  continuationOf,
  DEFAULT_PAGE,
  type ListBlockedOptions,
  positionOf,
} from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { type BlockedActivityRow, blockedActivity, toBlocked } from "../rows/blocked.ts";
import { fromText, toText } from "../rows/codec.ts";

const OPERATION = "listBlocked";

const LIST = { list: OPERATION };

const INSTANCES = `SELECT blocked_since, instance_key AS key, instance_id, blocked FROM instances
  WHERE blocked_since IS NOT NULL AND (blocked_since, instance_key) > (?, ?)
  ORDER BY blocked_since, instance_key LIMIT ?`;

const ACTIVITIES = `SELECT blocked_since, id AS key, blocked, work_item FROM worker_queue
  WHERE blocked_since IS NOT NULL AND (blocked_since, id) > (?, ?) ORDER BY blocked_since, id LIMIT ?`;

const OF_INSTANCE = "SELECT instance_key, blocked FROM instances WHERE instance_id = ?";

const OF_ITS_ACTIVITIES = `SELECT blocked, work_item FROM worker_queue
  WHERE instance_key = ? AND blocked_since IS NOT NULL ORDER BY id`;

/** The end of a page. */
interface Position {
  readonly sinceMs: number;
  /** 0: an instance, 1: an activity. */
  readonly kind: number;
  readonly key: number;
}

interface Entry extends Position {
  readonly blocked: readonly Blocked[];
}

interface BlockedWorkRow {
  readonly blocked_since: number;
  readonly key: number;
  readonly blocked: string;
}

export function listBlocked(db: Database, options: ListBlockedOptions = {}): BlockedPage {
  checkListBlocked(OPERATION, options);
  const { instanceId, limit = DEFAULT_PAGE, continuation } = options;
  if (instanceId !== undefined) return { blocked: blockedOf(db, instanceId) };
  const isPlace = (place: readonly unknown[]): boolean =>
    place.length === 3 && place.every(Number.isSafeInteger);
  const after = positionOf(OPERATION, LIST, continuation, isPlace) as readonly number[] | undefined;
  const [sinceMs = Number.MIN_SAFE_INTEGER, kind = 0, key = 0] = after ?? [];
  const entries = entriesAfter(db, { sinceMs, kind, key }, limit + 1);
  const page = entries.slice(0, limit);
  const blocked = page.flatMap((entry) => entry.blocked);
  const last = page.at(-1);
  if (entries.length <= limit || last === undefined) return { blocked };
  return { blocked, continuation: continuationOf(LIST, [last.sinceMs, last.kind, last.key]) };
}

/** The instance itself first, then its activities in queue order. */
function blockedOf(db: Database, instanceId: string): readonly Blocked[] {
  const row = db.get<{ instance_key: number; blocked: string | null }>(OF_INSTANCE, toText(instanceId));
  if (row === undefined) return [];
  const activities = db.all<BlockedActivityRow>(OF_ITS_ACTIVITIES, row.instance_key).flatMap(blockedActivity);
  return row.blocked === null ? activities : [toBlocked(instanceId, row.blocked), ...activities];
}

function entriesAfter(db: Database, { sinceMs, kind, key }: Position, limit: number): readonly Entry[] {
  const afterInstance = kind === 0 ? key : Number.MAX_SAFE_INTEGER;
  const afterActivity = kind === 0 ? 0 : key;
  const instances = db
    .all<BlockedWorkRow & { readonly instance_id: string }>(INSTANCES, sinceMs, afterInstance, limit)
    .map((row) => entry(row, 0, [toBlocked(fromText(row.instance_id), row.blocked)]));
  const activities = db
    .all<BlockedWorkRow & BlockedActivityRow>(ACTIVITIES, sinceMs, afterActivity, limit)
    .map((row) => entry(row, 1, blockedActivity(row)));
  return [...instances, ...activities].sort((a, b) => a.sinceMs - b.sinceMs);
}

function entry(row: BlockedWorkRow, kind: number, blocked: readonly Blocked[]): Entry {
  return { sinceMs: row.blocked_since, kind, key: row.key, blocked };
}
