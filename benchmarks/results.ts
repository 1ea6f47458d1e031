/** Keeps the lines of a run in `benchmarks/results`, from where the README takes its figures. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";

interface Results {
  readonly command: string;
  readonly date: string;
  readonly machine: string;
  readonly load: string;
  readonly lines: readonly object[];
}

/** Writes `results/NAME.json`. Lines of an earlier run with the same command on the same day are kept. */
export function saveResults(name: string, command: string, lines: readonly object[]): void {
  const file = path.join(import.meta.dirname, "results", `${name}.json`);
  const date = new Date().toISOString().slice(0, 10);
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Results) : undefined;
  const isSameRun = earlier?.command === command && earlier.date === date;
  const results: Results = {
    command,
    date,
    machine: `${availableParallelism()} processors, Node ${process.versions.node}`,
    load: loadavg()
      .map((load) => load.toFixed(1))
      .join(" "),
    lines: [...(isSameRun ? earlier.lines : []), ...lines],
  };
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
}
