/** The instances of a page, in the order of their keys in the list. */
import {
  type InstanceSummary,
  instanceFailure,
  MOST_LISTED_BYTES,
  type Tags,
} from "@duroxide-ts/core/stores";
import type { Database } from "../../connection/database.ts";
import { type BlockedActivityRow, blockedActivity, toBlocked } from "../../rows/blocked.ts";
import { fromText } from "../../rows/codec.ts";
import { FAILED_EVENTS, failureDetails } from "../../rows/failed-event.ts";
import { type InfoRow, toInstanceInfo } from "../instance-info.ts";
import { readTags } from "../read-tags.ts";

const SUMMARIES = `SELECT i.instance_key, i.instance_id, i.orchestration_name, i.orchestration_version,
    i.execution_id, i.parent_instance_id, i.status, i.created_at, i.updated_at, i.blocked_since, i.blocked,
    i.suspended, i.starts_at, i.limit_key, i.held_since, i.failure_category,
    iif(octet_length(e.output) > ${MOST_LISTED_BYTES}, NULL, e.output) AS output,
    ${FAILED_EVENTS} AS failed_events
  FROM json_each(?) AS page
  CROSS JOIN instances AS i ON i.instance_key = page.value
  LEFT JOIN executions AS e ON e.instance_key = i.instance_key AND e.execution_id = i.execution_id
  ORDER BY page.key`;

/** `min` makes the other columns those of the same row. */
const BLOCKED_ACTIVITIES = `SELECT instance_key, min(blocked_since) AS since, blocked, work_item
  FROM worker_queue INDEXED BY worker_queue_blocked_of
  WHERE blocked_since IS NOT NULL AND instance_key IN (SELECT value FROM json_each(?)) GROUP BY instance_key`;

interface SummaryRow extends InfoRow {
  readonly instance_key: number;
  readonly instance_id: string;
  readonly blocked_since: number | null;
  readonly blocked: string | null;
  readonly failed_events: string | null;
}

interface BlockedRow extends BlockedActivityRow {
  readonly instance_key: number;
  readonly since: number;
}

export function readSummaries(
  db: Database,
  keys: readonly number[],
  nowMs: number,
): readonly InstanceSummary[] {
  if (keys.length === 0) return [];
  const list = JSON.stringify(keys);
  const blocked = new Map(db.all<BlockedRow>(BLOCKED_ACTIVITIES, list).map((row) => [row.instance_key, row]));
  const tags = readTags(db, keys);
  return db
    .all<SummaryRow>(SUMMARIES, list)
    .map((row) => toSummary(row, tags.get(row.instance_key), blocked.get(row.instance_key), nowMs));
}

function toSummary(
  row: SummaryRow,
  tags: Tags | undefined,
  activity: BlockedRow | undefined,
  nowMs: number,
): InstanceSummary {
  const details = failureDetails(row.failed_events);
  const blocked = blockedOf(row, activity);
  return {
    ...toInstanceInfo(fromText(row.instance_id), row, tags, nowMs),
    ...(details !== undefined && { failure: instanceFailure(details) }),
    ...(blocked !== undefined && { blocked }),
  };
}

/** The longest block: of the instance itself, or of an activity. */
function blockedOf(row: SummaryRow, activity: BlockedRow | undefined): InstanceSummary["blocked"] {
  const { blocked, blocked_since: since } = row;
  const isOwn = blocked !== null && since !== null && since <= (activity?.since ?? since);
  if (isOwn) return toBlocked(fromText(row.instance_id), blocked);
  return activity === undefined ? undefined : blockedActivity(activity)[0];
}
