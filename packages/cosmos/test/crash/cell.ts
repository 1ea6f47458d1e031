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
  /** Labels of its requests, in their order. */
  readonly requests: readonly string[];
  /** How many operations each of its batches has. */
  readonly batches: readonly number[];
  /** The end state without a killed process. */
  readonly snapshot: Snapshot;
  readonly violations: readonly string[];
}

export interface Cell extends Snare {
  readonly recorded: Recorded;
}

export async function record(place: Place, operation: Operation): Promise<Recorded> {
  const { requests, batches, failure } = await perform(place, operation, undefined);
  const after = await aftermath(place, operation);
  const failures = failure === undefined ? [] : [`undisturbed it failed: ${failure}`];
  const violations = [...failures, ...after.violations];
  return { operation, requests, batches, snapshot: after.snapshot, violations };
}

export interface CellResult {
  /** The request was made, and met its fate. */
  readonly isMet: boolean;
  readonly violations: readonly string[];
}

/** `calm`: ends the troubles of the endpoint, before documents are read. */
export async function run(
  place: Place,
  cell: Cell,
  children: Children,
  calm: () => Promise<void> = async () => {},
): Promise<CellResult> {
  const { operation, snapshot } = cell.recorded;
  const { isMet, problems } = await disturb(place, cell, children);
  // Without the disturbance there is nothing to survive. Where requests are repeated, its place is not certain.
  if (problems.length > 0 || (!isMet && place.isTroubled !== true)) {
    return { isMet, violations: [...problems, ...(isMet ? [] : ["the operation ended before the request"])] };
  }
  const after = await aftermath(place, operation, calm);
  return { isMet, violations: [...after.violations, ...differences(snapshot, after.snapshot)] };
}

interface Disturbance {
  readonly isMet: boolean;
  /** Why there is nothing to survive. */
  readonly problems: readonly string[];
}

async function disturb(place: Place, cell: Cell, children: Children): Promise<Disturbance> {
  const { operation } = cell.recorded;
  const snare = place.isTroubled === true ? byLabel(cell) : { nth: cell.nth, fate: cell.fate };
  if (snare.fate !== "lost") return children.kill(place, operation, snare);
  // A process that is not killed must succeed all the same.
  const { isMet, failure } = await perform(place, operation, snare);
  return { isMet, problems: failure === undefined ? [] : [`it failed: ${failure}`] };
}

/** The same request, however often others are repeated before it. */
function byLabel({ recorded, nth, fate }: Cell): Snare {
  const label = recorded.requests[nth - 1] ?? "";
  return { nth: recorded.requests.slice(0, nth).filter((each) => each === label).length, fate, label };
}

async function aftermath(
  place: Place,
  operation: Operation,
  calm?: () => Promise<void>,
): Promise<{ readonly violations: readonly string[]; readonly snapshot: Snapshot }> {
  const violations = await survive(place, operation);
  await calm?.();
  using raw = rawContainer(place.connectionString, DATABASE, place.container);
  const documents = await allDocuments(raw.container);
  await raw.container.delete();
  return {
    violations: [...violations, ...leftoversIn(documents), ...violationsIn(documents)],
    snapshot: snapshotOf(documents),
  };
}
