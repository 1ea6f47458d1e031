/** A saga whose process is killed at a request: another process goes on with its steps and its undos. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { SEED, sample } from "../../../../test/support/effort.ts";
import { expectUndone, outcomesOf, REASON } from "../../../../test/support/undone-saga.ts";
import { openStage, type Place, type Stage, TAKE_OVER_MS } from "../support/stage.ts";
import { Children } from "./children.ts";
import { runSaga, SAGA } from "./operations/sagas.ts";
import { perform } from "./perform.ts";

async function outcomesIn({ provider }: Stage): Promise<ReturnType<typeof outcomesOf>> {
  return outcomesOf(await provider.readHistory("i"));
}

it("a saga whose process dies at any request undoes each recorded outcome once, the last one first", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  using children = new Children();
  const { requests, failure } = await perform({ connectionString, container: "whole" }, SAGA, undefined);
  expect(failure).toBeUndefined();
  const snares = requests.flatMap((_, index) =>
    (["before", "after"] as const).map((fate) => ({ nth: index + 1, fate })),
  );
  for (const snare of sample(snares)) {
    const { nth, fate } = snare;
    const place: Place = { connectionString, container: `saga-${nth}-${fate}` };
    const where = `killed ${fate} request ${nth} (${requests[nth - 1]}), seed ${SEED}`;
    const { problems } = await children.kill(place, SAGA, snare);
    expect(problems, where).toEqual([]);
    await using stage = await openStage(place, TAKE_OVER_MS);
    const recorded = await outcomesIn(stage);
    expect(await runSaga(stage), where).toBe(REASON);
    expectUndone(await outcomesIn(stage), recorded, where);
  }
});
