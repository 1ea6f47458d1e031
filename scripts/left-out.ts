/** What `npm test` leaves to the deep run as whole files (docs/decisions/0075). */
import { readdirSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./node-tool.ts";

const BROWSER = "packages/dashboard/test/browser";

/** Of the tests of the dashboard in a browser, every third file runs, by the seed. */
const RUNS_ONE_OF = 3;

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
  return files
    .toSorted()
    .filter((_, index) => (index + seed) % RUNS_ONE_OF !== 0)
    .map((name) => `--exclude=${BROWSER}/${name}`);
}
