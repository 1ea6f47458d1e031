/** The matrix of refusals: every operation, every batch of a recorded run of it, every place in the batch, every refusal. */
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { record } from "./cell.ts";
import type { MatrixOptions } from "./matrix.ts";
import { type RefusedCell, runRefused } from "./refused-cell.ts";

type Chosen = Pick<MatrixOptions, "connectionString" | "operations" | "seed">;

export interface RefusedMatrixOptions extends Chosen {
  /** How many cells of each operation are run; all by default. */
  readonly cellsOfEach?: number;
  /** Called for each operation when its last cell was run. */
  readonly onOperation?: (result: RefusedResults) => void;
}

export interface RefusedResults {
  readonly name: string;
  readonly cells: number;
  readonly run: number;
  /** A line each. */
  readonly failures: readonly string[];
}

/** A full logical partition stays full; another writer, and throttling, pass. */
const REFUSALS: readonly Pick<RefusedCell, "status" | "substatus" | "times">[] = [
  { status: 403, substatus: 1014, times: "always" },
  { status: 413, times: "once" },
  { status: 400, times: "once" },
  { status: 449, times: "once" },
  { status: 429, substatus: 3200, times: "once" },
];

export async function runRefusedMatrix(options: RefusedMatrixOptions): Promise<readonly RefusedResults[]> {
  const { connectionString, operations, seed, cellsOfEach, onOperation } = options;
  const random = new SeededRandom(seed);
  let containers = 0;
  const place = () => ({ connectionString, container: `refused-${containers++}` });
  const results: RefusedResults[] = [];
  for (const operation of operations) {
    const recorded = await record(place(), operation);
    const cells = recorded.batches.flatMap((size, batch) =>
      Array.from({ length: size }, (_, index) =>
        REFUSALS.map((refusal): RefusedCell => ({ recorded, batch, index, ...refusal })),
      ).flat(),
    );
    const chosen = cellsOfEach === undefined ? cells : random.shuffled(cells).slice(0, cellsOfEach);
    const failures: string[] = [];
    for (const cell of chosen) {
      const { met, violations } = await runRefused(place(), cell);
      failures.push(...violations.map((violation) => describe(cell, met, violation)));
    }
    const result = { name: operation.name, cells: cells.length, run: chosen.length, failures };
    results.push(result);
    onOperation?.(result);
  }
  return results;
}

function describe(
  { recorded, batch, index, status, times }: RefusedCell,
  met: string | undefined,
  violation: string,
): string {
  const where = `batch ${batch + 1}, operation ${index + 1} (${met ?? "not sent"})`;
  return `FAILED  ${recorded.operation.name}, ${where}, ${status} ${times}: ${violation}`;
}
