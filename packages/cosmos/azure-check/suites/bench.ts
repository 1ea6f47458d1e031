/** Phase 3: what orchestrations cost, against the table of the documentation. Prints the table as it should be. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@duroxide-ts/cosmos-emulator/conformance";
import { step } from "../step.ts";
import { runCommand } from "./child.ts";

const DOCUMENTED = path.resolve(import.meta.dirname, "../../../../benchmarks/results/cosmos-requests.json");
const TOLERATED = 0.3;

interface Line {
  readonly workload: string;
  readonly processes: number;
  readonly requests: number;
  readonly charge: number;
}

export const BENCH = step({
  id: "3.bench",
  phase: 3,
  title: "What orchestrations cost",
  gates: {},
  estimateRu: () => 50_000,
  async run(stage, notes) {
    if (stage.place.key === undefined) return notes.skipAll("the suites need a key");
    await stage.items;
    const { exitCode, stdout, end } = await runCommand(
      stage,
      "dev",
      "bench",
      "--provider",
      "cosmos",
      "requests",
    );
    expect(exitCode === 0, end);
    const measured = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Line);
    const { lines } = JSON.parse(readFileSync(DOCUMENTED, "utf8")) as { readonly lines: readonly Line[] };
    for (const line of measured) {
      const documented = lines.find(
        (each) => each.workload === line.workload && each.processes === line.processes,
      );
      if (documented === undefined) continue;
      await notes.expect(`${line.workload} with ${line.processes} processes costs what is documented`, () => {
        const isNear = Math.abs(line.charge - documented.charge) <= TOLERATED * documented.charge;
        expect(isNear, `${line.charge} RU instead of ${documented.charge}`);
      });
    }
    const table = measured
      .filter(({ processes }) => processes === 1)
      .map(({ workload, requests, charge }) => `| ${workload} | ${requests} | ${Math.round(charge)} |`);
    notes.record("the table as it is here", table);
    for (const row of ["| Orchestration | Requests | RU |", ...table]) stage.say(row);
  },
});
