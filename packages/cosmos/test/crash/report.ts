/** Formats what the matrix prints. */
import type { Failure, OperationResult } from "./matrix.ts";

const NAME_WIDTH = 60;

export const HEADING = `${"operation".padEnd(NAME_WIDTH)} requests  cells    run passed`;

export function lineOf({ name, requests, cells, run, failures }: OperationResult): string {
  const passed = run - failures.filter(({ fate }) => fate !== "undisturbed").length;
  const numbers = [requests, cells, run, passed].map((number, column) =>
    String(number).padStart(column === 0 ? 8 : 6),
  );
  return `${name.padEnd(NAME_WIDTH)} ${numbers.join(" ")}`;
}

export function totalOf(results: readonly OperationResult[]): string {
  const sum = (count: (result: OperationResult) => number): number =>
    results.reduce((total, each) => total + count(each), 0);
  const failures = sum((each) => each.failures.filter(({ fate }) => fate !== "undisturbed").length);
  const run = sum((each) => each.run);
  const unmet = sum((each) => each.unmet);
  const without = unmet === 0 ? "" : `, ${unmet} of them without a death, because the request was not made`;
  return `${results.length} operations, ${sum((each) => each.requests)} requests, ${sum((each) => each.cells)} cells: ${run} run, ${run - failures} passed${without}`;
}

export function describeFailure({ operation, nth, fate, request, violations }: Failure): string {
  const where = nth === 0 ? fate : `request ${nth} (${request}), ${fate}`;
  return [`FAILED  ${operation}, ${where}`, ...violations.map((violation) => `        ${violation}`)].join(
    "\n",
  );
}
