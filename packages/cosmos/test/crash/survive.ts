/**
 * Continues after a process died: others serve turns and activities until there are none, and deal with unfinished work
 * in between. They use the methods that a runtime uses, so that what only a client would stumble upon is not found.
 */
import { allDocuments } from "../invariants/documents.ts";
import {
  LOCK_MS,
  openStage,
  type Place,
  RECONCILER_INTERVAL_MS,
  START_MS,
  type Stage,
} from "../support/stage.ts";
import { commit, fetchTurn, finishWork, work } from "../support/steps.ts";
import type { Operation } from "./operation.ts";

/** Time at which the survivors begin: all leases of the process that died are over, whenever it took them. */
const TAKE_OVER_MS = START_MS + LOCK_MS + RECONCILER_INTERVAL_MS;

/** Time that may have passed for the process that died if requests are repeated, ms: a few seconds, and some passes. */
const TROUBLED_MS = 300_000;

/** Resolves to what was wrong on the way. `lateMs`: how much later than after a death the survivors begin. */
export async function survive(
  place: Place,
  { halfway, repeat }: Operation,
  lateMs = place.isTroubled === true ? TROUBLED_MS : 0,
): Promise<readonly string[]> {
  const takeOverMs = TAKE_OVER_MS + lateMs;
  // First without the reconciler, so that what is delivered again meets what was consumed already.
  const first = await serveAt(place, takeOverMs);
  const reconciledMs = await reconcile(place, first.endMs);
  await using stage = await openStage(place, reconciledMs);
  const violations = halfway?.(await allDocuments(stage.raw)) ?? [];
  await repeat?.(stage);
  const isIdle = await serve(stage);
  // A commit that was finished by others leaves its messages to the next pass.
  const last = await serveAt(place, await reconcile(place, stage.clock.now()));
  if (first.isIdle && isIdle && last.isIdle) return violations;
  return [...violations, `there was still something to do after ${MOST_STEPS} steps`];
}

interface Served {
  readonly isIdle: boolean;
  /** The time when it ended. */
  readonly endMs: number;
}

async function serveAt(place: Place, nowMs: number): Promise<Served> {
  await using stage = await openStage(place, nowMs);
  const isIdle = await serve(stage);
  return { isIdle, endMs: stage.clock.now() };
}

/** Resolves to the time when it ended. */
async function reconcile(place: Place, nowMs: number): Promise<number> {
  await using stage = await openStage(place, nowMs);
  await stage.reconcile();
  return stage.clock.now();
}

/** More than any operation leaves to be done. */
const MOST_STEPS = 1_000;

/** Serves until nothing is left to do; returns false if there is no end to it. */
async function serve(stage: Stage): Promise<boolean> {
  for (let step = 0; step < MOST_STEPS; step++) {
    const turn = await fetchTurn(stage);
    if (turn !== undefined) await commit(stage, turn);
    const activity = await work(stage, "survivor");
    if (activity !== undefined) await finishWork(stage, activity);
    if (turn === undefined && activity === undefined) return true;
  }
  return false;
}
