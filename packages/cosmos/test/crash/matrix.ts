/** The matrix: every operation, every request that a recorded run of it made, every fate. */
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import type { Fate } from "../support/trap.ts";
import { type Cell, type CellResult, type Recorded, record, run } from "./cell.ts";
import { Children } from "./children.ts";
import type { Operation } from "./operation.ts";
import type { TroubledEndpoint } from "./troubled-endpoint.ts";

export interface MatrixOptions {
  readonly connectionString: string;
  readonly operations: readonly Operation[];
  /** Seed of the choice of cells. */
  readonly seed: number;
  /** How many cells of each operation and fate are run; all by default. */
  readonly cellsOfEach?: number;
  /** One fate for each operation, in turn, instead of all of them. */
  readonly oneFateOfEach?: boolean;
  /** Cells at a time. */
  readonly lanes: number;
  /** Endpoint of the cells, instead of the calm one on which operations are recorded. */
  readonly troubled?: TroubledEndpoint;
  /** Called for each operation when its last cell was run. */
  readonly onOperation?: (result: OperationResult) => void;
}

export interface OperationResult {
  readonly name: string;
  readonly requests: number;
  /** Number of cells to which its requests give rise. */
  readonly cells: number;
  readonly run: number;
  /**
   * Number of cells that were run and whose operation ended before it made the request. Only on a troubled endpoint.
   */
  readonly unmet: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly operation: string;
  /** 0 where nothing was disturbed. */
  readonly nth: number;
  readonly fate: Fate | "undisturbed";
  /** Label of the request. */
  readonly request: string;
  readonly violations: readonly string[];
}

const FATES: readonly Fate[] = ["before", "after", "lost"];

export async function runMatrix(options: MatrixOptions): Promise<readonly OperationResult[]> {
  const { connectionString, operations, onOperation } = options;
  const random = new SeededRandom(options.seed);
  let containers = 0;
  const newName = (): string => `cell-${containers++}`;
  const runCell = (cell: Cell, children: Children): Promise<CellResult> => {
    const container = newName();
    if (options.troubled === undefined) return run({ connectionString, container }, cell, children);
    return options.troubled.during(container, (place, end) => run(place, cell, children, end));
  };
  const results: OperationResult[] = [];
  using lanes = new Lanes(options.lanes);
  for (const [index, operation] of operations.entries()) {
    const fates = FATES.filter(
      (_, n) => !options.oneFateOfEach || n === (options.seed + index) % FATES.length,
    );
    const recorded = await record({ connectionString, container: newName() }, operation);
    const cells = cellsOf(recorded);
    const chosen = fates.flatMap((fate) =>
      choose(
        cells.filter((cell) => cell.fate === fate),
        options,
        random,
      ),
    );
    const outcomes = await lanes.each(chosen, async (cell, children) => {
      const { isMet, violations } = await runCell(cell, children);
      return { isMet, failures: toFailure(cell, violations) };
    });
    const result = {
      name: operation.name,
      requests: recorded.requests.length,
      cells: cells.length,
      run: chosen.length,
      unmet: outcomes.filter(({ isMet }) => !isMet).length,
      failures: [...undisturbed(recorded), ...outcomes.flatMap(({ failures }) => failures)],
    };
    results.push(result);
    onOperation?.(result);
  }
  return results;
}

function cellsOf(recorded: Recorded): readonly Cell[] {
  return FATES.flatMap((fate) => recorded.requests.map((_, index) => ({ recorded, nth: index + 1, fate })));
}

/** Requests of different kinds first: those of one kind are more likely to fare alike. */
function choose(
  cells: readonly Cell[],
  { cellsOfEach }: MatrixOptions,
  random: SeededRandom,
): readonly Cell[] {
  if (cellsOfEach === undefined) return cells;
  const kinds = Map.groupBy(random.shuffled(cells), requestOf);
  const rounds = Math.max(0, ...[...kinds.values()].map((each) => each.length));
  const ordered = Array.from({ length: rounds }, (_, round) =>
    [...kinds.values()].flatMap((each) => each[round] ?? []),
  );
  return ordered.flat().slice(0, cellsOfEach);
}

function requestOf({ recorded, nth }: Cell): string {
  return recorded.requests[nth - 1] ?? "";
}

function toFailure(cell: Cell, violations: readonly string[]): readonly Failure[] {
  if (violations.length === 0) return [];
  const { nth, fate, recorded } = cell;
  return [{ operation: recorded.operation.name, nth, fate, request: requestOf(cell), violations }];
}

function undisturbed({ operation, violations }: Recorded): readonly Failure[] {
  if (violations.length === 0) return [];
  return [{ operation: operation.name, nth: 0, fate: "undisturbed", request: "", violations }];
}

/** Several cells at a time, each lane with its own children. */
class Lanes implements Disposable {
  readonly #children: readonly Children[];

  constructor(count: number) {
    this.#children = Array.from({ length: count }, () => new Children());
  }

  async each<Item, Result>(
    items: readonly Item[],
    work: (item: Item, children: Children) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const queue = [...items.entries()];
    const results: Result[] = [];
    const lane = async (children: Children): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, item] = next;
        results[index] = await work(item, children);
      }
    };
    await Promise.all(this.#children.map(lane));
    return results;
  }

  [Symbol.dispose](): void {
    for (const children of this.#children) children[Symbol.dispose]();
  }
}
