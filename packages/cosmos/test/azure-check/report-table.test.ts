/** The table with which the check ends. */
import { expect, it } from "vitest";
import { type StepReport, tableOf } from "../../azure-check/report.ts";
import { STEPS } from "../../azure-check/steps.ts";

function reportOf({ id, phase, title }: Pick<StepReport, "id" | "phase" | "title">): StepReport {
  return {
    id,
    phase,
    title,
    verdict: "green",
    findings: [],
    facts: {},
    requests: [],
    requestCount: 0,
    ru: 1,
    tookMs: 100,
  };
}

it("has a space behind the id and the title of each step", () => {
  const none = { ru: 0, usd: 0 };
  const table = tableOf({
    steps: STEPS.map(reportOf),
    cost: { estimated: none, measured: none },
    outcome: "green",
  });
  const lines = table.split("\n");
  for (const [index, { id, title }] of STEPS.entries()) {
    expect(lines[index]?.split(/ {1,}ok +/)).toEqual([id, expect.stringContaining(`${title} `)]);
  }
});
