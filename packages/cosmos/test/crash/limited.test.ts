/** Limited instances and activities whose process is killed at a request: another takes over, and no permit is lost. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { SEED, smallSample } from "../../../../test/support/effort.ts";
import { openStage, type Place, TAKE_OVER_MS } from "../support/stage.ts";
import { Children } from "./children.ts";
import { LIMITED, most, runLimited } from "./operations/limited.ts";
import { perform } from "./perform.ts";

it("limited work whose process dies at any request is taken over within its limits, and its permits end", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  using children = new Children();
  const { requests, failure } = await perform({ connectionString, container: "whole" }, LIMITED, undefined);
  expect(failure).toBeUndefined();
  const snares = requests.flatMap((_, index) =>
    (["before", "after"] as const).map((fate) => ({ nth: index + 1, fate })),
  );
  for (const snare of smallSample(snares)) {
    const { nth, fate } = snare;
    const place: Place = { connectionString, container: `limited-${nth}-${fate}` };
    const where = `killed ${fate} request ${nth} (${requests[nth - 1]}), seed ${SEED}`;
    const { problems } = await children.kill(place, LIMITED, snare);
    expect(problems, where).toEqual([]);
    await using stage = await openStage(place, TAKE_OVER_MS);
    Object.assign(most, { instances: 0, activities: 0 });
    await runLimited(stage, "i", "j");
    // A permit whose process died at the end of its instance ends when another instance waits for one.
    await runLimited(stage, "third");
    expect(most, where).toEqual({ instances: 1, activities: expect.toSatisfy((n: number) => n <= 1) });
    expect(await stage.provider.limits.readLimit("k"), where).toMatchObject({ running: 0, waiting: 0 });
  }
});
