/** Steps in place whose process is killed at a request: another process takes over what is left of them. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { SEED, sample } from "../../../../test/support/effort.ts";
import { openStage, type Place, type Stage, TAKE_OVER_MS } from "../support/stage.ts";
import { Children } from "./children.ts";
import { runSteps, STEPS } from "./operations/steps.ts";
import { perform } from "./perform.ts";

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
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  using children = new Children();
  const { requests, failure } = await perform({ connectionString, container: "whole" }, STEPS, undefined);
  expect(failure).toBeUndefined();
  const snares = requests.flatMap((_, index) =>
    (["before", "after"] as const).map((fate) => ({ nth: index + 1, fate })),
  );
  for (const snare of sample(snares)) {
    const { nth, fate } = snare;
    const place: Place = { connectionString, container: `steps-${nth}-${fate}` };
    const where = `killed ${fate} request ${nth} (${requests[nth - 1]}), seed ${SEED}`;
    const { problems } = await children.kill(place, STEPS, snare);
    expect(problems, where).toEqual([]);
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
  }
});
