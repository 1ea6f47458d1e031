/**
 * One run of one operation in a process of which one operation of one batch is refused, for good or for now. The
 * process lives on: what is refused for good must be reported, what is refused for now must not be noticed, and in both
 * cases nothing is lost or left over when others have gone on, and nothing is tried without pauses.
 */
import { allDocuments, rawContainer } from "../invariants/documents.ts";
import { violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";
import type { SentOperation } from "../support/refused-batch.ts";
import { DATABASE, openStage, type Place, START_MS } from "../support/stage.ts";
import type { Recorded } from "./cell.ts";
import { differences, snapshotOf } from "./snapshot.ts";
import { survive } from "./survive.ts";

export interface RefusedCell {
  readonly recorded: Recorded;
  /** Index of the batch within the operation, from 0 on. */
  readonly batch: number;
  /** Index of the operation within the batch, from 0 on. A later batch may have fewer. */
  readonly index: number;
  readonly status: number;
  readonly substatus?: number;
  /** The batch only, or also all later ones that do the same. */
  readonly times: "once" | "always";
}

/** Number of requests, more than undisturbed and beside those of a fetch that waits, that are no loop. */
const MOST_REPETITIONS = 30;
const MOST_A_SECOND = 5;

/** Longer than the longest back-off of what was refused. */
const BACKED_OFF_MS = 600_000;

export interface RefusedResult {
  /** The operation of the batch that was refused; undefined if the batch was not sent. */
  readonly met: string | undefined;
  readonly violations: readonly string[];
}

export async function runRefused(place: Place, cell: RefusedCell): Promise<RefusedResult> {
  const { recorded } = cell;
  const { met, told, requests, seconds } = await refuse(place, cell);
  const violations: string[] = [];
  const { status } = cell;
  const isTold = told.some((text) => text.split(/\W/).includes(String(status)));
  const isPassing = PASSING.includes(status);
  if (isPassing && isTold) violations.push(`${status} was noticed: ${told.join("; ")}`);
  if (met !== undefined && !isPassing && !isTold) violations.push(`${status} is told nowhere`);
  const more = requests - recorded.requests.length;
  if (more > MOST_REPETITIONS + MOST_A_SECOND * seconds)
    violations.push(`${more} requests more in ${seconds} s`);
  violations.push(...(await survive(place, recorded.operation, BACKED_OFF_MS)));
  using raw = rawContainer(place.connectionString, DATABASE, place.container);
  const documents = await allDocuments(raw.container);
  await raw.container.delete();
  return {
    met,
    violations: [
      ...violations,
      ...leftoversIn(documents),
      ...violationsIn(documents),
      ...differences(recorded.snapshot, snapshotOf(documents)),
    ],
  };
}

/** Throttled, and a conflict with another writer. */
const PASSING: readonly number[] = [429, 449];

interface Told {
  readonly met: string | undefined;
  /** Errors and warnings. */
  readonly told: readonly string[];
  readonly requests: number;
  /** Time that passed meanwhile, s. */
  readonly seconds: number;
}

async function refuse(place: Place, cell: RefusedCell): Promise<Told> {
  const { recorded, batch, status, substatus = 0, times } = cell;
  const stage = await openStage(place, START_MS);
  try {
    const prepared = await recorded.operation.prepare(stage);
    const beganMs = stage.clock.now();
    stage.clock.run();
    stage.trap.set(undefined);
    let met: string | undefined;
    let kind: string | undefined;
    let batches = 0;
    stage.trap.refuse((operations) => {
      const index = cell.index % operations.length;
      const asked = operations[index];
      const names = operations.map(nameOf).join();
      const isIt = (times === "always" && names === kind) || batches++ === batch;
      if (!isIt || asked === undefined) return undefined;
      kind = names;
      met = `${nameOf(asked)} ${asked.id ?? asked.resourceBody?.id}`;
      return { index, status, substatus };
    });
    const failure = await recorded.operation.act(stage, prepared).then(
      () => [],
      (error: unknown) => [error instanceof Error ? error.message : String(error)],
    );
    await stage.clock.quiet();
    const seconds = (stage.clock.now() - beganMs) / 1_000;
    return { met, told: [...failure, ...stage.warnings], requests: stage.trap.labels.length, seconds };
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}

function nameOf({ operationType, resourceBody }: SentOperation): string {
  return `${operationType} ${resourceBody?.type ?? ""}`.trim();
}
