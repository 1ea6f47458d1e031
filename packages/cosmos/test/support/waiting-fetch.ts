/** A fetch that waits while something is sent, what the sending asks of the service, and what is left in the end. */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { fetchOrchestration } from "@duroxide-ts/provider-tests/building-blocks";
import { expect } from "vitest";
import { allDocuments } from "../invariants/documents.ts";
import { violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";
import type { Stage } from "./stage.ts";
import { settle } from "./steps.ts";
import { WAIT_MS } from "./warm-turn.ts";

/** A list, because a promise that is returned would be awaited. */
export async function waiting(
  performer: Pick<Stage, "provider" | "lockMs" | "trap">,
): Promise<readonly Promise<FetchedOrchestration | undefined>[]> {
  const fetch = fetchOrchestration(performer, { pollTimeoutMs: WAIT_MS });
  await performer.trap.idle();
  return [fetch];
}

/** The requests in the partition of instance "a". */
export async function requestsOf(stage: Stage, act: () => Promise<unknown>): Promise<readonly string[]> {
  stage.trap.set(undefined);
  await act();
  return stage.trap.labels.filter((label) => label.includes('["a"]'));
}

/** Once nothing is under way any more, no document is wrong and none is left over. */
export async function expectSettled(stage: Stage): Promise<void> {
  await settle(stage);
  const documents = await allDocuments(stage.raw);
  expect([...violationsIn(documents), ...leftoversIn(documents)]).toEqual([]);
}
