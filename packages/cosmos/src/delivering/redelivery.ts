/** Times at which a message that could not be delivered is tried again, and given up. */
import type { Intent } from "../documents/intent.ts";
import type { Sequence } from "../documents/queue-order.ts";
import { SEQUENCE_FIELD } from "../documents/rows.ts";
import type { Work } from "../memory/parts.ts";
import {
  FIRST_REDELIVERY_MS,
  MOST_DELIVERIES,
  MOST_PASSING_FAILURES,
  MOST_REDELIVERY_DOUBLINGS,
} from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Undelivered } from "./deliver.ts";

export function isDue(
  { attempts, lastAttemptAt }: Pick<Intent, "attempts" | "lastAttemptAt">,
  nowMs: number,
): boolean {
  return (
    lastAttemptAt === null ||
    lastAttemptAt + FIRST_REDELIVERY_MS * 2 ** Math.min(attempts, MOST_REDELIVERY_DOUBLINGS) <= nowMs
  );
}

/** Oldest first; of one commit in its order. */
export function inOrder(intents: readonly Intent[]): readonly Intent[] {
  return intents.toSorted((a, b) => a.createdAt - b.createdAt || sequenceOf(a) - sequenceOf(b));
}

/** The position in its commit; intents of Rust have none. */
function sequenceOf({ payload }: Intent): number {
  return (payload[SEQUENCE_FIELD] as Sequence | undefined)?.number ?? 0;
}

/**
 * Passing failures are counted for the delay before the next attempt only: no outage and no throttling ends a message.
 * Dead messages are dead letters (admin/queries/dead-letters.ts); to put one back sets its status to `pending`.
 */
export async function countAttempt(work: Work, { intent, isPassing }: Undelivered): Promise<void> {
  const { id, source, attempts, etag } = intent;
  const attemptCount = isPassing
    ? Math.max(attempts, Math.min(attempts + 1, MOST_PASSING_FAILURES))
    : attempts + 1;
  const isDead = !isPassing && attemptCount >= MOST_DELIVERIES;
  const operation: BatchOperation = {
    kind: "set",
    id,
    values: {
      attemptCount,
      lastAttemptAt: work.clock.now(),
      ...(isDead && { status: "dead" }),
    },
    ...(etag !== undefined && { ifMatch: etag }),
  };
  const { ok } = await work.batch(source, [operation]);
  if (!isDead || !ok) return;
  work.service.warn(
    `message ${id} was abandoned after ${attemptCount} attempts, and an instance that waits for it never continues; put it back from the dead letters to retry`,
    { instanceId: source },
  );
}
