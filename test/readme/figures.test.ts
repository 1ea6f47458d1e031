/** Every figure of README.md is that of a results file. */
import { describe, expect, it } from "vitest";
import { read } from "../tidy/repository.ts";

type Figure = "per_second" | "p50_ms" | "processor_us" | "memory_of_all_mb";

interface Line extends Partial<Readonly<Record<Figure, number>>> {
  readonly system: string;
  readonly workload: string;
  readonly processes?: number;
  readonly requests?: number;
  readonly rust_requests?: number;
}

interface Results {
  readonly command: string;
  readonly date: string;
  readonly lines: readonly Line[];
}

const README = read("README.md");
const results = (name: string) => JSON.parse(read(`benchmarks/results/${name}.json`)) as Results;
const sqlite = results("sqlite-workloads");
const cosmos = results("cosmos-requests");
const peers = results("peers");

/** Cells of the rows of the README that have a text. */
function rowsWith(text: string): string[][] {
  const rows = README.split("\n").filter((line) => line.startsWith("|") && line.includes(text));
  return rows.map((row) => row.split("|").map((cell) => cell.trim()));
}

/** The median over the runs of a workload, as text. */
function median(lines: readonly Line[], workload: string, figure: Figure): string {
  const values = lines.filter((line) => line.workload === workload).map((line) => line[figure] ?? Number.NaN);
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const shown = figure === "p50_ms" ? Number(middle.toPrecision(2)) : Math.round(middle);
  return shown.toLocaleString("en-US");
}

const hello = cosmos.lines.find((line) => line.workload === "hello" && line.processes === 1);

describe("the figures of README.md", () => {
  it.each([
    ["npm run dev -- bench W1", `${median(sqlite.lines, "W1", "per_second")} per second`],
    ["npm run dev -- bench W2", `${median(sqlite.lines, "W2", "per_second")} per second`],
    ["npm run dev -- bench W5", `${median(sqlite.lines, "W5", "p50_ms")} ms`],
    [cosmos.command, `${hello?.requests} (Rust provider: ${hello?.rust_requests})`],
  ])("%s: %s", (command, figure) => {
    expect(rowsWith(`\`${command}\` |`).map((cells) => cells[2])).toEqual([figure]);
  });

  it("of commands are all compared", () => {
    expect(rowsWith("`npm run dev -- bench ").length).toBe(4);
  });

  it.each([...new Set(peers.lines.map((line) => line.system))])("beside others: %s", (system) => {
    const lines = peers.lines.filter((line) => line.system === system);
    expect(rowsWith(`| ${system} |`).map((cells) => cells.slice(2, 7))).toEqual([
      [
        median(lines, "W1", "per_second"),
        median(lines, "W2", "per_second"),
        median(lines, "W5", "p50_ms"),
        median(lines, "W2", "processor_us"),
        median(lines, "W2", "memory_of_all_mb"),
      ],
    ]);
  });

  it("are dated", () => {
    for (const { date } of [sqlite, cosmos, peers]) expect(README).toContain(date);
  });
});
