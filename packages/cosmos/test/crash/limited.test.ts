/** Limited instances and activities whose process is killed at a request: another takes over, and no permit is lost. */
import { expect, it } from "vitest";
import { smallSample } from "../../../../test/support/effort.ts";
import { openStage, TAKE_OVER_MS } from "../support/stage.ts";
import { killedAtEach } from "./killed-at-each.ts";
import { LIMITED, most, runLimited } from "./operations/limited.ts";

it("limited work whose process dies at any request is taken over within its limits, and its permits end", async () => {
  await killedAtEach(LIMITED, smallSample, async (place, where) => {
    await using stage = await openStage(place, TAKE_OVER_MS);
    Object.assign(most, { instances: 0, activities: 0 });
    await runLimited(stage, "i", "j");
    // A permit whose process died at the end of its instance ends when another instance waits for one.
    await runLimited(stage, "third");
    expect(most, where).toEqual({ instances: 1, activities: expect.toSatisfy((n: number) => n <= 1) });
    expect(await stage.provider.limits.readLimit("k"), where).toMatchObject({ running: 0, waiting: 0 });
  });
});
