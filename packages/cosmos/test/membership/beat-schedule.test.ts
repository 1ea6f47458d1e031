/** Tests when a process beats; beat-schedule.BS1 and beat-schedule.BS2. */
import { SeededRandom, VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { BeatSchedule } from "../../src/fetching/membership/beat-schedule.ts";

const BEAT_MS = 60_000;
/** Time within which a beat on request begins, ms. */
const SOON_MS = 1_000;

it("a request during a beat leads to one more beat, soon and after its end (beat-schedule.BS1, beat-schedule.BS2)", async () => {
  const clock = new VirtualClock(0);
  const beats: PromiseWithResolvers<boolean>[] = [];
  const schedule = new BeatSchedule({
    clock,
    random: new SeededRandom("beats"),
    beatMs: BEAT_MS,
    beat: () => {
      const beat = Promise.withResolvers<boolean>();
      beats.push(beat);
      return beat.promise;
    },
  });
  schedule.soon();
  await clock.advance(SOON_MS);
  schedule.soon();
  schedule.soon();
  await clock.advance(SOON_MS);
  expect(beats).toHaveLength(1);

  beats[0]?.resolve(true);
  await clock.advance(SOON_MS);
  expect(beats).toHaveLength(2);

  beats[1]?.resolve(false);
  await schedule.close();
});
