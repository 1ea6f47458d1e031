/** Instances whose limits hold their code back. */
import { PERMIT_TAG } from "../../../wire/known-code.ts";
import { toMessageRow } from "../codec.ts";
import type { Store } from "../store.ts";
import { nextActivity, noteBegin } from "./next-activity.ts";

/** The lock of a permit of an instance, which ends with the instance. */
const PERMIT = "permit";

/** Answers the calls of instances that their limits let begin (docs/decisions/limits.md). */
export function admitInstances(store: Store): void {
  if (!store.activities.some(({ tag }) => tag === PERMIT_TAG)) return;
  const nowMs = store.clock.now();
  for (;;) {
    const waiting = store.activities.filter(
      (row) => row.tag === PERMIT_TAG && row.lockToken === undefined && row.visibleAtMs <= nowMs,
    );
    const row = waiting.length === 0 ? undefined : nextActivity(store, waiting, nowMs);
    if (row === undefined) return;
    noteBegin(store, row, nowMs);
    row.lockToken = PERMIT;
    row.lockedUntilMs = Number.POSITIVE_INFINITY;
    const { instanceId: instance, executionId: execution_id, activityId: id } = row;
    const answer = { kind: "ActivityCompleted", instance, execution_id, id, result: "null" } as const;
    store.messages.push(toMessageRow("admitInstances", answer, nowMs));
  }
}

/** Ends the permit of an instance that has ended. */
export function endPermits(store: Store, instanceId: string): void {
  store.activities = store.activities.filter(
    (row) => row.tag !== PERMIT_TAG || row.instanceId !== instanceId,
  );
}

/** The key of the limit for which an instance waits. */
export function heldInstance(store: Store, instanceId: string): string | undefined {
  return store.activities.find(
    (row) => row.tag === PERMIT_TAG && row.instanceId === instanceId && row.lockToken === undefined,
  )?.limit;
}
