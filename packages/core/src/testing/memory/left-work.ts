/**
 * Work of a name that a fetch has no code for (docs/decisions/attempts-and-blocked-work.md): it is left to others for a head
 * start, and a fetch with the code gets what was released as blocked for want of it, whatever the back-off.
 */
import type { FetchOrchestrationOptions, FetchWorkOptions } from "../../contract/provider.ts";
import { hasEnded } from "../../contract/status.ts";
import { hasActivity, missingOrchestration } from "../../stores/known-names.ts";
import { handlerOf } from "../../wire/known-code.ts";
import { toActivity, toMessage } from "./codec.ts";
import { type ActivityRow, currentExecution, type MessageRow, type Store } from "./store.ts";

/** Time for which work is left to fetches with its code, ms. */
const HEAD_START_MS = 1_000;

/** Instances that were released for want of their code, and that a fetch with it need not wait for. */
export function releasedForWantOfCode(
  { blockedInstances }: Store,
  { orchestrations }: FetchOrchestrationOptions,
): readonly string[] {
  if (orchestrations === undefined) return [];
  return [...blockedInstances].flatMap(([id, { reason }]) =>
    reason === "missing-orchestration" ? [id] : [],
  );
}

/** Whether the instance is left to fetches with its code. */
export function isTurnForOthers(
  store: Store,
  instanceId: string,
  batch: readonly MessageRow[],
  options: FetchOrchestrationOptions,
): boolean {
  const instance = {
    orchestration: store.instances.get(instanceId),
    hasEnded: hasEnded(currentExecution(store, instanceId)?.status),
  };
  if (missingOrchestration(options, instance, batch.map(toMessage)) === undefined) return false;
  const dueMs = Math.min(...batch.map(({ visibleAtMs }) => visibleAtMs));
  return isLeft(store, dueMs, store.blockedInstances.has(instanceId));
}

/** Whether the activity was released for want of its handler, and the fetch has it. */
export function isReleasedTo(row: ActivityRow, options: FetchWorkOptions): boolean {
  if (row.block?.reason !== "missing-activity" || options.activities === undefined) return false;
  return hasActivity(options, handlerOf(toActivity(row)));
}

/** Whether the activity is left to fetches with its handler. */
export function isActivityForOthers(store: Store, row: ActivityRow, options: FetchWorkOptions): boolean {
  if (hasActivity(options, handlerOf(toActivity(row)))) return false;
  return isLeft(store, row.visibleAtMs, row.block !== undefined);
}

/** Whether the work is left: for a head start; as blocked until its back-off is over, so that its reason is noted again. */
function isLeft(store: Store, dueMs: number, isBlocked: boolean): boolean {
  const untilMs = isBlocked ? dueMs : dueMs + HEAD_START_MS;
  if (store.clock.now() >= untilMs) return false;
  store.leftUntilMs.add(untilMs);
  return true;
}
