/** Handlers whose store says when they may begin (`FetchedWork.begin`). */
import { expect, it } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import type { FetchedWork, FetchWorkOptions } from "../../src/contract/provider.ts";
import { activity, Client, type Logger, orchestration, Runtime, silentLogger } from "../../src/index.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";

type Answer = ReturnType<NonNullable<FetchedWork["begin"]>>;

/** Runs one activity, and returns when its handler was called, ms from the start, and the attempts that it saw. */
async function beganAt(
  answers: Answer[],
  logger: Logger = silentLogger,
): Promise<readonly (readonly [atMs: number, attempt: number])[]> {
  const clock = new VirtualClock();
  const startMs = clock.now();
  class SlottedProvider extends MemoryProvider {
    override async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
      const fetched = await super.fetchWorkItem(options);
      return fetched && { ...fetched, begin: () => answers.shift() };
    }
  }
  const began: (readonly [number, number])[] = [];
  const work = activity("work", async ({ attempt }) => {
    began.push([clock.now() - startMs, attempt]);
  });
  const one = orchestration("one", async (ctx) => ctx.scheduleActivity(work));
  const provider = new SlottedProvider({ clock });
  const options = { provider, clock, orchestrations: [one], activities: [work], logger };
  await using _runtime = await Runtime.start({ ...options, reportWorker: false });
  await new Client(provider, { clock }).start(one, { instanceId: "i" });
  await clock.advance(5_000);
  return began;
}

it("are called at once in their slot", async () => {
  expect(await beganAt([0])).toEqual([[0, 1]]);
});

it("wait for their slot, and ask again before they are called", async () => {
  expect(await beganAt([30, Promise.resolve(70), Promise.resolve(0), 0])).toEqual([[100, 1]]);
});

it("have a duration without the wait for their slot", async () => {
  const logger = new RecordingLogger();
  await beganAt([30, Promise.resolve(70), 0], logger);
  expect(logger.of("activity_completed").map(({ fields }) => fields["duration_ms"])).toEqual([0]);
});

it("are not called where none comes soon: the work is given back, which is no attempt", async () => {
  expect(await beganAt([undefined, Promise.resolve(undefined), 0])).toEqual([[0, 1]]);
});
