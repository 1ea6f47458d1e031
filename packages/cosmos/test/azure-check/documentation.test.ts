/** The page about the check names every gate, probe and flag, and no others. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readCommand } from "../../azure-check/command.ts";
import { STEPS, selectedSteps } from "../../azure-check/steps.ts";

const PAGE = readFileSync(
  path.resolve(import.meta.dirname, "../../../../docs/cosmos/azure-check.md"),
  "utf8",
);

/** The first cells of the table under a heading. */
function firstColumnUnder(heading: string): readonly string[] {
  const section = PAGE.split(`\n${heading}\n`)[1]?.split(/\n#+ /)[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) => row.split("|")[1]?.trim() ?? "");
}

describe("docs/cosmos/azure-check.md", () => {
  it("has a row for every gate, and for no other", () => {
    const documented = firstColumnUnder("### Red gates, and what to do").flatMap((cell) =>
      cell.split(", ").map((name) => name.replaceAll("`", "")),
    );
    const gates = STEPS.flatMap((step) => Object.keys(step.gates));
    expect(documented.toSorted()).toEqual(gates.toSorted());
  });

  it("names the step of every gate", () => {
    for (const step of STEPS) {
      for (const gate of Object.keys(step.gates)) {
        const row = PAGE.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${gate}\``));
        expect(row?.split("|")[2]?.trim(), gate).toBe(step.id);
      }
    }
  });

  it("has a row for every probe", () => {
    const probes = STEPS.filter(({ phase }) => phase === 2).map(({ id }) => id.slice("2.".length));
    const documented = firstColumnUnder("### Probes that differ, and what to do");
    expect(documented.toSorted()).toEqual(probes.toSorted());
  });

  it("the command takes every probe", () => {
    const { selection } = readCommand(["--rehearsal", "--probe", "1,18"], {});
    expect(
      selectedSteps(selection)
        .filter(({ phase }) => phase === 2)
        .map(({ id }) => id),
    ).toEqual(["2.1", "2.18"]);
    expect(STEPS.filter(({ phase }) => phase === 2)).toHaveLength(18);
  });

  it("has a row for every flag", () => {
    const flags = ["rehearsal", "connection-string-env", "endpoint", "key-env", "entra", "phase", "probe"];
    const more = ["split", "failover", "report", "record", "keep", "yes"];
    const documented = firstColumnUnder("## Running it").join(" ");
    for (const flag of [...flags, ...more]) expect(documented).toContain(`--${flag}`);
  });
});
