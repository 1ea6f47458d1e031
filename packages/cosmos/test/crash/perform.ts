/** Prepares an operation and performs it, in this process. */

import { openStage, type Place, START_MS } from "../support/stage.ts";
import type { Snare } from "../support/trap.ts";
import type { Operation } from "./operation.ts";

export interface Performed {
  readonly requests: readonly string[];
  /** How many operations each of its batches has. */
  readonly batches: readonly number[];
  readonly failure: string | undefined;
  /** The snare was met, by a process that lives on. */
  readonly isMet: boolean;
}

/** Does not return where the snare kills. Without `using`: children run it as it is, also on Node 22. */
export async function perform(
  place: Place,
  operation: Operation,
  snare: Snare | undefined,
): Promise<Performed> {
  const stage = await openStage(place, START_MS);
  try {
    const prepared = await operation.prepare(stage);
    stage.trap.set(snare);
    const failure = await operation.act(stage, prepared).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const { labels, batches, isSprung } = stage.trap;
    return { requests: [...labels], batches: [...batches], failure, isMet: isSprung };
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}
