/** Every figure of README.md is that of a results file. */
import { describe, expect, it } from "vitest";
import { read } from "../tidy/repository.ts";

interface Line {
  readonly workload: string;
  readonly processes?: number;
  readonly per_second?: number;
  readonly p50_ms?: number;
  readonly requests?: number;
  readonly rust_requests?: number;
}

interface Results {
  readonly command: string;
  readonly date: string;
  readonly lines: readonly Line[];
}

const README = read("README.md");
const sqlite = JSON.parse(read("benchmarks/results/sqlite-workloads.json")) as Results;
const cosmos = JSON.parse(read("benchmarks/results/cosmos-requests.json")) as Results;

/** The lowest and the highest value of a workload, as text. */
function range(workload: string, figure: "per_second" | "p50_ms"): string {
  const values = sqlite.lines
    .filter((line) => line.workload === workload)
    .map((line) => line[figure] ?? Number.NaN);
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) =>
    value.toLocaleString("en-US"),
  );
  return low === high ? `${low}` : `${low} to ${high}`;
}

const hello = cosmos.lines.find((line) => line.workload === "hello" && line.processes === 1);

describe("the figures of README.md", () => {
  it.each([
    ["npm run bench -- W1", `${range("W1", "per_second")} per second`],
    ["npm run bench -- W2", `${range("W2", "per_second")} per second`],
    ["npm run bench -- W5", `${range("W5", "p50_ms")} ms`],
    [cosmos.command, `${hello?.requests} (Rust provider: ${hello?.rust_requests})`],
  ])("%s: %s", (command, figure) => {
    const rows = README.split("\n").filter((line) => line.includes(`\`${command}\` |`));
    expect(rows.map((row) => row.split("|")[2]?.trim())).toEqual([figure]);
  });

  it("are all compared", () => {
    const rows = README.split("\n").filter((line) => line.includes("`npm run bench "));
    expect(rows.length).toBe(4);
  });

  it("are dated", () => {
    for (const { date } of [sqlite, cosmos]) expect(README).toContain(date);
  });
});
