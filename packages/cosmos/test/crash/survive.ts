/**
 * What happens after a process died: others serve turns and activities until there are none, and look after unfinished
 * work in between. They use the methods that a runtime uses, so that what only a client would stumble upon is not found.
 */
import { fetchOrchestration } from "@duroxide-ts/provider-tests/building-blocks";
import { allDocuments } from "../invariants/documents.ts";
import {
  LOCK_MS,
  openStage,
  type Place,
  RECONCILER_INTERVAL_MS,
  START_MS,
  type Stage,
} from "../support/stage.ts";
import { commit, finishWork, work } from "../support/steps.ts";
import type { Operation } from "./operation.ts";

/** When the survivors look for the first time: all leases of the process that died are over, whenever it took them. */
const TAKE_OVER_MS = START_MS + LOCK_MS + RECONCILER_INTERVAL_MS;

/** Resolves to what was wrong on the way. */
export async function survive(place: Place, { halfway, repeat }: Operation): Promise<readonly string[]> {
  // First without the reconciler, so that what is delivered again meets what was consumed already.
  const wasIdle = await serveAt(place, TAKE_OVER_MS);
  await reconcile(place, TAKE_OVER_MS);
  await using stage = await openStage(place, TAKE_OVER_MS + RECONCILER_INTERVAL_MS);
  const violations = halfway?.(await allDocuments(stage.raw)) ?? [];
  await repeat?.(stage);
  const isIdle = await serve(stage);
  // A commit that was finished by others leaves its messages to the next look.
  await reconcile(place, TAKE_OVER_MS + RECONCILER_INTERVAL_MS);
  const staysIdle = await serveAt(place, TAKE_OVER_MS + 2 * RECONCILER_INTERVAL_MS);
  if (wasIdle && isIdle && staysIdle) return violations;
  return [...violations, `there was still something to do after ${MOST_STEPS} steps`];
}

async function serveAt(place: Place, nowMs: number): Promise<boolean> {
  await using stage = await openStage(place, nowMs);
  return await serve(stage);
}

async function reconcile(place: Place, nowMs: number): Promise<void> {
  await using stage = await openStage(place, nowMs);
  await stage.reconcile();
}

/** More than any operation leaves to be done. */
const MOST_STEPS = 1_000;

/** Until nothing is left to do; false where there is no end to it. */
async function serve(stage: Stage): Promise<boolean> {
  for (let step = 0; step < MOST_STEPS; step++) {
    const turn = await fetchOrchestration(stage);
    if (turn !== undefined) await commit(stage, turn);
    const activity = await work(stage, "survivor");
    if (activity !== undefined) await finishWork(stage, activity);
    if (turn === undefined && activity === undefined) return true;
  }
  return false;
}
