/** A container with several physical partitions, in a time that moves while nothing is on its way. */
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { startEndpoint, type TestEndpoint } from "../support/endpoint.ts";
import { DATABASE, openStage, START_MS, type Stage } from "../support/stage.ts";

export interface PartitionedStage {
  readonly emulator: TestEndpoint;
  readonly stage: Stage;
  /** The container, for the commands of the endpoint. */
  readonly names: { readonly database: string; readonly container: string };
}

/** Called at the top of a test file; each test has a container of its own. */
export function partitionedStages(physicalPartitions: number): () => PartitionedStage {
  let emulator: TestEndpoint;
  let current: PartitionedStage;
  let stages = 0;
  beforeAll(async () => {
    emulator = await startEndpoint(physicalPartitions);
  });
  afterAll(() => emulator[Symbol.asyncDispose]());
  beforeEach(async () => {
    const container = `partitions-${stages++}`;
    const { connectionString, send } = emulator;
    emulator.faults.clear();
    const stage = await openStage({ connectionString, container }, START_MS, send);
    current = { emulator, stage, names: { database: DATABASE, container } };
  });
  afterEach(async () => {
    emulator.faults.clear();
    await current.stage[Symbol.asyncDispose]();
  });
  return () => current;
}

const REPETITION_MS = 3;

/**
 * Waits until the work is done; resolves to its result and to the time that passed meanwhile on the clock of the stage.
 * Time does not wait for requests that the endpoint delays: `delayed` is their number.
 */
export async function timed<T>(
  { clock, trap }: Stage,
  work: Promise<T>,
  delayed?: () => number,
): Promise<{ readonly result: T; readonly ms: number }> {
  const beganMs = clock.now();
  let endedMs: number | undefined;
  const mark = (): void => {
    endedMs = clock.now();
  };
  work.then(mark, mark);
  while (endedMs === undefined) {
    if (delayed === undefined) await trap.idle();
    await clock.settle();
    // The client library lets a moment pass before it repeats a request.
    await setTimeout(REPETITION_MS);
    if (endedMs !== undefined) break;
    const { nextDueMs } = clock;
    const isIdle = trap.underWay <= (delayed?.() ?? 0);
    if (nextDueMs !== undefined && isIdle) await clock.advance(nextDueMs - clock.now());
  }
  return { result: await work, ms: endedMs - beganMs };
}

/** The physical partition in which the documents of an instance lie. */
export async function rangeOf({ raw }: Stage, instanceId: string): Promise<string> {
  const answer = await raw.item("nothing", instanceId).read();
  return String(answer.headers["x-ms-documentdb-partitionkeyrangeid"]);
}

/** The first `count` ids with the prefix that lie in the physical partition. */
export async function idsIn(
  stage: Stage,
  range: string,
  count: number,
  prefix = "i",
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; ids.length < count; n++) {
    const id = `${prefix}${n}`;
    if ((await rangeOf(stage, id)) === range) ids.push(id);
  }
  return ids;
}
