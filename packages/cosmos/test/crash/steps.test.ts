/** Steps in place whose process is killed at a request: another process takes over what is left of them. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { sample } from "../../../../test/support/effort.ts";
import { openStage, type Stage, TAKE_OVER_MS } from "../support/stage.ts";
import { killedAtEach } from "./killed-at-each.ts";
import { runSteps, STEPS } from "./operations/steps.ts";

async function outcomesIn({ provider }: Stage): Promise<readonly string[]> {
  const executions = await provider.admin.listExecutions("i").catch(() => []);
  const histories = await Promise.all(
    executions.map(({ executionId }) => provider.readHistory("i", executionId)),
  );
  const outcome = (event: HistoryEvent): readonly string[] =>
    event.type === "ActivityCompleted" ? [JSON.parse(event.result) as string] : [];
  return histories.flat().flatMap(outcome);
}

it("a step whose process dies at any request is taken over, and no recorded outcome is lost or used twice", async () => {
  await killedAtEach(STEPS, sample, async (place, where) => {
    await using stage = await openStage(place, TAKE_OVER_MS);
    const recorded = await outcomesIn(stage);
    const result = await runSteps(stage);
    const all = await outcomesIn(stage);
    expect(result.toSorted(), where).toEqual(all.toSorted());
    expect(all.map((text) => text.split(" ")[0]).toSorted(), where).toEqual([
      "first",
      "first",
      "left",
      "right",
    ]);
    expect(all, where).toEqual(expect.arrayContaining([...recorded]));
    for (const text of result.slice(2)) expect(text, where).toContain(`${result[0]} ${result[1]}`);
  });
});
