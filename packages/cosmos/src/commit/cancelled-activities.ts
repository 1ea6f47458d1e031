/**
 * Activities that an orchestration gave up leave the queue in the commit of the turn (hazard W9), locked or not: who
 * works on one learns of it when the lock is renewed. Rows of Rust have random ids, so they are looked up.
 */
import { type ActivityId, messageOf } from "@duroxide-ts/core/stores";
import type { Call } from "../service/service.ts";

const QUERY = `SELECT c.id, c.executionId, c.activityId FROM c
  WHERE c.type = 'worker_queue' AND ARRAY_CONTAINS(@activities, c.activityId)`;

interface Found {
  readonly id: string;
  readonly executionId: number | null;
  readonly activityId: number | null;
}

export async function cancelledRows(
  call: Call,
  instanceId: string,
  cancelled: readonly ActivityId[],
): Promise<ReadonlySet<string>> {
  const own = cancelled.filter((each) => each.instanceId === instanceId);
  if (own.length === 0) return new Set();
  const activities = [...new Set(own.map(({ activityId }) => activityId))];
  const rows = await call.query<Found>(instanceId, {
    query: QUERY,
    parameters: [{ name: "@activities", value: activities }],
  });
  const isCancelled = (row: Found): boolean =>
    own.some(
      ({ executionId, activityId }) => executionId === row.executionId && activityId === row.activityId,
    );
  return new Set(rows.filter(isCancelled).map(({ id }) => id));
}

/** Those of other instances, which no turn of the runtime gives up. The commit is done, so a failure is a warning. */
export async function cancelElsewhere(
  call: Call,
  instanceId: string,
  cancelled: readonly ActivityId[],
): Promise<void> {
  const others = new Set(cancelled.map((each) => each.instanceId).filter((id) => id !== instanceId));
  try {
    for (const other of others) {
      for (const id of await cancelledRows(call, other, cancelled)) {
        await call.batch(other, [{ kind: "delete", id }]);
      }
    }
  } catch (error) {
    const warning = `an activity of another instance is not cancelled: ${messageOf(error)}`;
    call.service.warn(warning, { instanceId });
  }
}
