/**
 * The request that locks an activity takes a large part of the lock's time. The end of a lock is fixed before it is
 * requested, so it is nearer than the hand-out says: the activity still runs once at a time, and its attempts are right.
 */
import { activity, type Clock, orchestration, type RuntimeOptions } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { sample } from "../../../../test/support/effort.ts";
import { type Environment, startEnvironment } from "../../../../test/support/environment.ts";
import { cosmosOn } from "../../../../test/support/stores/cosmos.ts";
import {
  connectionReset,
  connectionStringOf,
  openInProcess,
  requestsTo,
} from "../../../../test/support/stores/in-process.ts";

const LOCK_MS = 30_000;

/** Part that is delayed of the first request that locks an activity. */
type Delay = "the request" | "its answer" | "its answer, which is lost";

interface Run {
  readonly process: string;
  readonly attempt: number;
  readonly beginsMs: number;
  endsMs: number;
}

const calls = orchestration("calls", async (ctx, ms: number) => ctx.scheduleActivity("slow", ms));

/** A batch that stores the lock of an activity's row. */
function isLock(body: unknown): boolean {
  return typeof body === "string" && /"type":"worker_queue"/.test(body) && /"ownLockToken":"/.test(body);
}

/** The runs of an activity of `takesMs` whose first lock is delayed by `delayMs`; two processes may run it. */
async function runsOf(delay: Delay, delayMs: number, takesMs: number): Promise<readonly Run[]> {
  await using endpoint = openInProcess();
  let hold: ((clock: Clock) => Promise<void>) | undefined;
  const pass = (clock: Clock): Promise<void> =>
    new Promise((resolve) => void clock.schedule(delayMs, resolve));
  const store = cosmosOn(
    { connectionString: connectionStringOf(endpoint) },
    { pollIntervalMs: { max: 50 }, membership: false },
    async (request, next) => {
      const isHeld = hold !== undefined && isLock(request.body);
      if (!isHeld) return next(request);
      hold = undefined;
      if (delay === "the request") await pass(env.clock);
      const answer = await next(request);
      if (delay === "the request") return answer;
      await pass(env.clock);
      if (delay === "its answer") return answer;
      throw connectionReset();
    },
    requestsTo(endpoint),
  );
  const runs: Run[] = [];
  const worker = (process: string): Partial<RuntimeOptions> => ({
    orchestrations: [],
    activities: [
      activity("slow", async (ctx, ms: number) => {
        const run = { process, attempt: ctx.attempt, beginsMs: env.clock.now(), endsMs: Number.NaN };
        runs.push(run);
        await new Promise<void>((resolve) => void env.clock.schedule(ms, resolve));
        run.endsMs = env.clock.now();
      }),
    ],
    workerLockTimeoutMs: LOCK_MS,
    // While it runs, only the other process can take it.
    workerConcurrency: 1,
  });
  await using env: Environment = await startEnvironment({
    store,
    orchestrations: [calls],
    options: { workerTagFilter: { kind: "none" } },
  });
  hold = pass;
  await env.startElsewhere(worker("one"));
  const handle = await env.client.start(calls, { instanceId: "i", input: takesMs });
  // The other process begins when the first may have the lock, or it would take the activity meanwhile.
  await env.advance(Math.min(delayMs + 1_000, LOCK_MS - 500));
  await env.startElsewhere(worker("two"));
  await env.finish(handle);
  expect(hold, "the held request").toBeUndefined();
  return runs;
}

const delays: readonly Delay[] = ["the request", "its answer", "its answer, which is lost"];

describe.each(delays)("where %s that locks an activity is late", (delay) => {
  it.each(sample([8_000, 20_000]))(
    "by %i ms, an activity that outlasts the lock runs once",
    async (delayMs) => {
      const runs = await runsOf(delay, delayMs, 90_000);
      expect(runs).toMatchObject([{ attempt: 1 }]);
    },
  );

  it.each(sample([26_000, 29_900, 31_000, 75_000]))(
    "by %i ms, a lock that is nearly over or over begins no run, and is not counted unless another process has taken over",
    async (delayMs) => {
      const runs = await runsOf(delay, delayMs, 90_000);
      expect(runs).toHaveLength(1);
      expect(runs[0]?.attempt).toBeLessThanOrEqual(delayMs < LOCK_MS ? 1 : 2);
    },
  );
});
