/**
 * Rows that the commit of a turn removes beside its messages. Each may be absent (commit.K4).
 *
 * The commit of a turn deletes the activities that it cancels (hazard W9), also locked ones: the next renewal of
 * the lock is refused. Rows of Rust have random ids, so a query finds them.
 */
import { type ActivityId, messageOf } from "@duroxide-ts/core/stores";
import { timerRowId } from "../documents/ids.ts";
import type { Work } from "../memory/parts.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

const ACTIVITIES = `SELECT c.id, c.executionId, c.activityId FROM c
  WHERE c.type = 'worker_queue' AND ARRAY_CONTAINS(@activities, c.activityId)`;

interface Found {
  readonly id: string;
  readonly executionId: number | null;
  readonly activityId: number | null;
}

export async function cancelledRows(
  work: Work,
  instanceId: string,
  cancelled: readonly ActivityId[],
): Promise<ReadonlySet<string>> {
  const own = cancelled.filter((each) => each.instanceId === instanceId);
  if (own.length === 0) return new Set();
  const activities = [...new Set(own.map(({ activityId }) => activityId))];
  const rows = await work.query<Found>(instanceId, ACTIVITIES, { "@activities": activities });
  const isCancelled = (row: Found): boolean =>
    own.some(
      ({ executionId, activityId }) => executionId === row.executionId && activityId === row.activityId,
    );
  return new Set(rows.filter(isCancelled).map(({ id }) => id));
}

/**
 * Activities of other instances, which the runtime never cancels: they lie in other partitions, and cannot be deleted in the batch. The
 * commit is stored, so a failure is a warning. The activity then runs, and its outcome finds no call that waits for it.
 */
export async function cancelElsewhere(
  work: Work,
  instanceId: string,
  cancelled: readonly ActivityId[],
): Promise<void> {
  const others = new Set(cancelled.map((each) => each.instanceId).filter((id) => id !== instanceId));
  try {
    for (const other of others) {
      for (const id of await cancelledRows(work, other, cancelled)) {
        await work.batch(other, [{ kind: "delete", id }]);
      }
    }
  } catch (error) {
    const warning = `an activity of another instance is not cancelled: ${messageOf(error)}`;
    work.service.warn(warning, { instanceId });
  }
}

/** Each absent row of a timer costs a further batch (commit.K4), so many are looked up before. */
const MOST_UNREAD = 2;

const TIMERS = "SELECT c.id FROM c WHERE c.type = 'orch_queue' AND ARRAY_CONTAINS(@ids, c.id)";

/**
 * Timers. Their ids are derived, so no read has to find them. A row may be absent, because Rust wrote it under another id:
 * such a timer fires, and settles nothing. `taken`: the messages of the turn, which it deletes anyway.
 */
export async function droppedRows(
  work: Work,
  instanceId: string,
  { droppedTimers }: PreparedTurn,
  taken: ReadonlySet<string>,
): Promise<readonly string[]> {
  const ids = droppedTimers.map(timerRowId).filter((id) => !taken.has(id));
  if (ids.length <= MOST_UNREAD) return ids;
  const rows = await work.query<{ readonly id: string }>(instanceId, TIMERS, { "@ids": ids });
  return rows.map(({ id }) => id);
}
