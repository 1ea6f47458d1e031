/**
 * Turns of a process that has the history in memory: they are handed out without a lock
 * (docs/decisions/cosmos-turns.md).
 */
import type { HistoryEvent } from "@duroxide-ts/core";
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { fetchOrchestration, given, mustFetch } from "@duroxide-ts/provider-tests/building-blocks";
import { type Plan, planned, start } from "./plan.ts";
import { commitOf } from "./program.ts";
import type { Stage } from "./stage.ts";

export type Performer = Pick<Stage, "provider" | "lockMs" | "clock">;

/** Longer than any test; the time stands still. */
export const WAIT_MS = 60_000;

/** Memory that a process has of instance "a". */
export interface Memory {
  readonly tag: string;
  readonly history: readonly HistoryEvent[];
}

export async function commitWarm(
  { provider, clock }: Performer,
  fetched: FetchedOrchestration,
): Promise<Memory> {
  const { historyTag } = await provider.ackOrchestrationItem(commitOf(fetched, clock.now()));
  return { tag: given(historyTag, "no history tag"), history: await provider.readHistory("a") };
}

/** Instance "a" after its first turn. */
export async function begun(performer: Performer, plan: Plan = {}): Promise<Memory> {
  await performer.provider.enqueueForOrchestrator(start("a", plan));
  return commitWarm(performer, await mustFetch(performer));
}

/** Throws where the history is not left out. */
export async function fetchWarm(
  performer: Performer,
  { tag, history }: Memory,
): Promise<FetchedOrchestration> {
  const fetched = await fetchOrchestration(performer, { pollTimeoutMs: WAIT_MS, heldHistory: () => tag });
  const { item, ...rest } = given(fetched, "no turn");
  if (item.historyOmitted !== true) throw new Error("the history was not left out");
  return { ...rest, item: { ...item, history } };
}

/** A turn without a lock that is to carry out a plan. */
export async function fetchPlannedWarm(performer: Performer, plan: Plan): Promise<FetchedOrchestration> {
  const memory = await begun(performer);
  await performer.provider.enqueueForOrchestrator(planned("a", plan));
  return fetchWarm(performer, memory);
}
