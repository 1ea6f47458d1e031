/** A saga whose process is killed at a request: another process goes on with its steps and its undos. */
import { expect, it } from "vitest";
import { sample } from "../../../../test/support/effort.ts";
import { expectUndone, outcomesOf, REASON } from "../../../../test/support/undone-saga.ts";
import { openStage, type Stage, TAKE_OVER_MS } from "../support/stage.ts";
import { killedAtEach } from "./killed-at-each.ts";
import { runSaga, SAGA } from "./operations/sagas.ts";

async function outcomesIn({ provider }: Stage): Promise<ReturnType<typeof outcomesOf>> {
  return outcomesOf(await provider.readHistory("i"));
}

it("a saga whose process dies at any request undoes each recorded outcome once, the last one first", async () => {
  await killedAtEach(SAGA, sample, async (place, where) => {
    await using stage = await openStage(place, TAKE_OVER_MS);
    const recorded = await outcomesIn(stage);
    expect(await runSaga(stage), where).toBe(REASON);
    expectUndone(await outcomesIn(stage), recorded, where);
  });
});
