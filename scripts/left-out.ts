/** Names the test files that `npm test` leaves to the deep run (docs/decisions/time-and-tests.md). */
import { readdirSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./node-tool.ts";

const BROWSER = "packages/dashboard/test/browser";

/** Every fourth file of the dashboard's tests in a browser runs, chosen by the seed. */
const RUNS_ONE_OF = 4;

/** A test of the bindings runs this file in a process of its own. */
const RUNS_ELSEWHERE = "packages/provider-tests/test/short-polling.test.ts";

/** Flags of vitest. `effort`: 1 and more is the deep run. */
export function leftOut({
  seed,
  effort,
}: {
  readonly seed: number;
  readonly effort: number;
}): readonly string[] {
  if (effort >= 1) return [];
  const files = readdirSync(path.join(ROOT, BROWSER)).filter((name) => name.endsWith(".test.ts"));
  const others = files.toSorted().filter((_, index) => (index + seed) % RUNS_ONE_OF !== 0);
  return [RUNS_ELSEWHERE, ...others.map((name) => `${BROWSER}/${name}`)].map((file) => `--exclude=${file}`);
}
