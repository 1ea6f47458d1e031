/** The check on an endpoint of our own: every request of phases 0 to 2, with few documents. */
import { describe, expect, it } from "vitest";
import { openPlace } from "../../azure-check/place.ts";
import { runCheck } from "../../azure-check/run.ts";
import { QUICK } from "../../azure-check/scale.ts";
import { STEPS } from "../../azure-check/steps.ts";

describe("the rehearsal", () => {
  it("finds every gate of phases 0 to 2 green", async () => {
    await using place = await openPlace({ kind: "rehearsal", withIdentity: false, physicalPartitions: 2 });
    const steps = STEPS.filter(({ phase }) => phase === 0 || phase === 1 || phase === 2);
    const report = await runCheck({ place, steps, scale: QUICK });
    const notGreen = report.steps.flatMap(({ id, findings }) =>
      findings.filter(({ verdict }) => verdict !== "green").map((each) => ({ id, ...each })),
    );
    expect(notGreen).toEqual([]);
    expect(report.outcome).toBe("green");
    expect(report.databaseRemoved).toBe(true);
  });
});
