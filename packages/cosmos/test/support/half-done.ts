/** Work that a process began and could not end, because the service forbade it everything from some request on. */
import type { Plan } from "./plan.ts";
import type { Actor, Stage } from "./stage.ts";
import { begin, commit, fetchPlanned } from "./steps.ts";

export const MESSAGES: NonNullable<Plan["messages"]> = [
  { to: "b", name: "one" },
  { to: "b", name: "two" },
  { to: "c", name: "three" },
];

/** More than fits into a batch: three pieces. */
export const LARGE: Plan = { keys: 110, activities: [{ label: "x" }], messages: MESSAGES };

/** The decision comes with the pieces; then each piece is applied, the last one with the end. */
export const UNTIL_DECIDED = 1;
export const UNTIL_FIRST_PIECE = 2;

/** Instance "a" in the middle of a large commit, beside "b" and "c". */
export async function leaveCommit(stage: Stage, requests: number): Promise<void> {
  await begin(stage, "a", "b", "c");
  const actor = await stage.openAnother();
  const other = { ...actor, clock: stage.clock };
  const fetched = await fetchPlanned(other, "a", LARGE);
  await cutOff(actor, requests, () => commit(other, fetched));
}

/** Messages from "a" that were committed, and not delivered. */
export async function leaveMessages(stage: Stage): Promise<void> {
  await begin(stage, "a", "b", "c");
  const actor = await stage.openAnother();
  const other = { ...actor, clock: stage.clock };
  const fetched = await fetchPlanned(other, "a", { messages: MESSAGES, children: [{ id: "child" }] });
  await cutOff(actor, 1, () => commit(other, fetched));
}

/** Performs a call that the service forbids after these requests. It may reject or not. */
export async function cutOff({ trap }: Actor, requests: number, act: () => Promise<unknown>): Promise<void> {
  trap.forbidAfter(requests);
  await Promise.allSettled([act()]);
  if (!trap.hasForbidden) throw new Error(`it took ${requests} requests or less`);
}
