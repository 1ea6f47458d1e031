/** A schedule whose process is killed at a request: another process fires what is left. */
import { expect, it } from "vitest";
import { smallSample } from "../../../../test/support/effort.ts";
import { allDocuments } from "../invariants/documents.ts";
import { violationsIn } from "../invariants/histories.ts";
import { leftoversIn } from "../invariants/leftovers.ts";
import { openStage, type Place, TAKE_OVER_MS } from "../support/stage.ts";
import { killedAtEach } from "./killed-at-each.ts";
import { DUE_MS, runSchedule, SCHEDULE } from "./operations/schedules.ts";

const RUNS = DUE_MS.map((ms) => `ticks@${new Date(ms).toISOString().replace(".000", "")}`);

async function takeOver(place: Place): Promise<{ readonly runs: readonly string[]; readonly endMs: number }> {
  await using stage = await openStage(place, TAKE_OVER_MS);
  const runs = await runSchedule(stage);
  return { runs, endMs: stage.clock.now() };
}

it("a schedule whose process dies at any request runs each due time once, and leaves nothing over", async () => {
  await killedAtEach(SCHEDULE, smallSample, async (place, where) => {
    const { runs, endMs } = await takeOver(place);
    expect(runs.toSorted(), where).toEqual(RUNS);
    await using stage = await openStage(place, endMs);
    await stage.reconcile();
    const documents = await allDocuments(stage.raw);
    const instances = documents.filter(({ type }) => type === "instance");
    const ids = instances.map(({ instanceId }) => instanceId).toSorted();
    expect(ids, where).toEqual(["schedule:ticks", ...RUNS]);
    // A schedule drops timers, which no event says.
    const ofRuns = documents.filter(({ instanceId }) => instanceId !== "schedule:ticks");
    const wrong = [...violationsIn(ofRuns), ...leftoversIn(documents)];
    expect(wrong, where).toEqual([]);
  });
});
