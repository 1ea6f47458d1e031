/**
 * A page of the rows of both queues: messages in the order in which they become visible, activities in the order in
 * which they were queued, both merged by these times.
 */
import {
  checkWorkQuery,
  continuationOf,
  DEFAULT_PAGE,
  positionOf,
  type WorkPage,
  type WorkQuery,
} from "@duroxide-ts/core/stores";
import type { Database } from "../../connection/database.ts";
import type { QueuedRow, QueuedRows } from "./examined-rows.ts";
import { ACTIVITIES_BEGINNING, activitiesAfter } from "./queued-activities.ts";
import { MESSAGES_BEGINNING, messagesAfter } from "./queued-messages.ts";

const OPERATION = "listWork";

const NO_ROWS: QueuedRows = { rows: [], end: undefined };

export function listWork(db: Database, nowMs: number, query: WorkQuery = {}): WorkPage {
  checkWorkQuery(OPERATION, query);
  const { limit = DEFAULT_PAGE, continuation, ...asked } = query;
  const isPlace = (place: readonly unknown[]): boolean =>
    place.length === 3 && place.every((part) => part === null || Number.isSafeInteger(part));
  const [
    visibleAtMs = MESSAGES_BEGINNING[0],
    messageId = MESSAGES_BEGINNING[1],
    activityId = ACTIVITIES_BEGINNING,
  ] = (positionOf(OPERATION, asked, continuation, isPlace) ?? []) as readonly (number | null)[];
  const hasMessages =
    query.kind !== "worker" && query.tag === undefined && visibleAtMs !== null && messageId !== null;
  const messages = hasMessages ? messagesAfter(db, nowMs, query, [visibleAtMs, messageId], limit) : NO_ROWS;
  const hasActivities = query.kind !== "orchestrator" && activityId !== null;
  const activities = hasActivities ? activitiesAfter(db, nowMs, query, activityId, limit) : NO_ROWS;
  const page = [...messages.rows, ...activities.rows].sort((a, b) => a.orderMs - b.orderMs).slice(0, limit);
  const work = page.map((row) => row.work);
  const messagesEnd = endOf(page, messages, hasMessages ? [visibleAtMs, messageId] : undefined);
  const activitiesEnd = endOf(page, activities, hasActivities ? [activityId] : undefined);
  if (messagesEnd === undefined && activitiesEnd === undefined) return { work };
  const [nextVisibleAtMs = null, nextMessageId = null] = messagesEnd ?? [];
  const [nextActivityId = null] = activitiesEnd ?? [];
  return { work, continuation: continuationOf(asked, [nextVisibleAtMs, nextMessageId, nextActivityId]) };
}

/**
 * The place at which the next page continues in a queue: after the last row of this page, or after the last examined
 * row.
 */
function endOf(
  page: readonly QueuedRow[],
  { rows, end }: QueuedRows,
  from: readonly number[] | undefined,
): readonly number[] | undefined {
  const isTaken = new Set(page);
  const taken = rows.filter((row) => isTaken.has(row));
  if (taken.length === rows.length) return end;
  return taken.at(-1)?.place ?? from;
}
