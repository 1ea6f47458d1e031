/** One run of one operation on a container of its own: undisturbed, or with one request that meets its fate. */
import { allDocuments, rawContainer } from "../invariants/documents.ts";
import { violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";
import { DATABASE, type Place } from "../support/stage.ts";
import type { Snare } from "../support/trap.ts";
import type { Children } from "./children.ts";
import type { Operation } from "./operation.ts";
import { perform } from "./perform.ts";
import { differences, type Snapshot, snapshotOf } from "./snapshot.ts";
import { survive } from "./survive.ts";

export interface Recorded {
  readonly operation: Operation;
  /** What each of its requests does, in their order. */
  readonly requests: readonly string[];
  /** What everything comes to when nobody dies. */
  readonly snapshot: Snapshot;
  readonly violations: readonly string[];
}

export interface Cell extends Snare {
  readonly recorded: Recorded;
}

export async function record(place: Place, operation: Operation): Promise<Recorded> {
  const { requests, failure } = await perform(place, operation, undefined);
  const after = await aftermath(place, operation);
  const failures = failure === undefined ? [] : [`undisturbed it failed: ${failure}`];
  return { operation, requests, snapshot: after.snapshot, violations: [...failures, ...after.violations] };
}

/** Resolves to what is wrong. */
export async function run(
  place: Place,
  { recorded, nth, fate }: Cell,
  children: Children,
): Promise<readonly string[]> {
  const { operation, snapshot } = recorded;
  const disturbance =
    fate === "lost"
      ? await loseAnswer(place, operation, nth)
      : await children.kill(place, operation, { nth, fate });
  // Without the disturbance there is nothing to survive.
  if (disturbance.length > 0) return disturbance;
  const after = await aftermath(place, operation);
  return [...after.violations, ...differences(snapshot, after.snapshot)];
}

/** Who lives on must not notice. */
async function loseAnswer(place: Place, operation: Operation, nth: number): Promise<readonly string[]> {
  const { requests, failure } = await perform(place, operation, { nth, fate: "lost" });
  if (failure !== undefined) return [`it failed: ${failure}`];
  return requests.length < nth ? [`it made ${requests.length} requests only`] : [];
}

async function aftermath(
  place: Place,
  operation: Operation,
): Promise<{ readonly violations: readonly string[]; readonly snapshot: Snapshot }> {
  const violations = await survive(place, operation);
  using raw = rawContainer(place.connectionString, DATABASE, place.container);
  const documents = await allDocuments(raw.container);
  await raw.container.delete();
  return {
    violations: [...violations, ...leftoversIn(documents), ...violationsIn(documents)],
    snapshot: snapshotOf(documents),
  };
}
