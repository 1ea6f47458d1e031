/**
 * A loop of short turns of one process does not hold up what another process sends to its instance: after a bounded
 * number of turns, and after a bounded time, the runtime and its store take the message (docs/decisions/messages.md).
 */
import {
  activity,
  Client,
  type InstanceHandle,
  type OrchestrationContext,
  orchestration,
} from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { Faults } from "../support/faulty-provider.ts";
import { onEveryStore } from "../support/scenario.ts";

/** Turns of a loop that nothing stops: far more than the bound. */
const LAST = 90;
/** Turns of the loop before the other process sends. */
const TURNS_BEFORE = 2;
/** The turns from memory after a read, one that reads, and the one that is under way. */
const MOST_TURNS = 16 + 2;
/** Turns from memory follow each other for 200 ms; the next turn reads. */
const LONGEST_MS = 200 + 20;

type Step = (ctx: OrchestrationContext, n: number) => PromiseLike<unknown>;

const quick = activity("quick", async (_ctx, n: number) => n);
const fails = activity("fails", async () => {
  throw new Error("again");
});
const child = orchestration("child", async (_ctx, n: number) => n);

/** Steps, one for each turn of the loop; each waits for a message that the process itself stores. */
const steps: Readonly<Record<string, Step>> = {
  "activities, which end together with their turns": (ctx, n) => ctx.scheduleActivity(quick, n),
  "activities that fail": (ctx) => ctx.scheduleActivity(fails).catch(() => {}),
  "timers that are due at once": (ctx) => ctx.scheduleTimer(0),
  "timers of 1 ms": (ctx) => ctx.scheduleTimer(1),
  "timers of 19 ms": (ctx) => ctx.scheduleTimer(19),
  "activities of 19 ms": (ctx) => ctx.scheduleActivity("short", 19),
  "timers and activities in turn": (ctx, n) =>
    n % 2 === 0 ? ctx.scheduleTimer(0) : ctx.scheduleActivity(quick, n),
  "races of a timer with an activity": (ctx, n) =>
    ctx.race([ctx.scheduleTimer(0), ctx.scheduleActivity(quick, n)]),
  "children that end at once": (ctx, n) => ctx.scheduleSubOrchestration(child, n),
};

interface Heard {
  readonly outcome: string;
  /** Turns of the loop, and the time, from the send to the turn that took the message. */
  readonly turns: number;
  readonly tookMs: number;
}

type Start = Parameters<Parameters<typeof onEveryStore>[1]>[0];
type Send = (handle: InstanceHandle<unknown>) => Promise<unknown>;

/** Runs the loop; before one of its commits another process sends it something. */
async function whileLooping(start: Start, step: Step, send: Send): Promise<Heard> {
  let latest = { turn: 0, atMs: 0 };
  const loop = orchestration("loop", async (ctx): Promise<string> => {
    let heard = false;
    void ctx.dequeue("box").then(() => {
      heard = true;
    });
    for (let n = 0; n < LAST && !heard; n++) {
      latest = { turn: n, atMs: env.clock.now() };
      await step(ctx, n);
    }
    return heard ? "heard" : "not heard";
  });
  const short = activity("short", (_ctx, ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    env.clock.schedule(ms, resolve);
    return promise;
  });
  const faults = new Faults();
  const env = await start({
    orchestrations: [loop, child],
    activities: [quick, fails, short],
    wrap: faults.wrap,
    file: true,
  });
  const other = new Client(await env.connectElsewhere(), { clock: env.clock });
  let sent: typeof latest | undefined;
  const beforeCommit = async (): Promise<void> => {
    if (sent !== undefined || latest.turn < TURNS_BEFORE) return;
    sent = latest;
    await send(other.handle(loop, "i"));
  };
  faults.on("ackOrchestrationItem", beforeCommit);
  faults.on("ackFusedTurn", beforeCommit);
  const handle = await env.client.start(loop, { instanceId: "i" });
  const outcome = await env.finish(handle).catch((error: unknown) => (error as Error).message);
  const { turn = 0, atMs = 0 } = sent ?? {};
  return { outcome, turns: latest.turn - turn, tookMs: latest.atMs - atMs };
}

function expectInTime({ turns, tookMs }: Heard): void {
  expect(turns).toBeLessThanOrEqual(MOST_TURNS);
  expect(tookMs).toBeLessThanOrEqual(LONGEST_MS);
}

describe.each(Object.entries(steps))("a loop of %s", (_name, step) => {
  onEveryStore("takes a queue message of another process", async (start) => {
    const heard = await whileLooping(start, step, (handle) => handle.enqueue("box", 1));
    expect(heard.outcome).toBe("heard");
    expectInTime(heard);
  });

  onEveryStore("is cancelled by another process", async (start) => {
    const heard = await whileLooping(start, step, (handle) => handle.cancel("enough"));
    expect(heard.outcome).toBe("canceled: enough");
    expectInTime(heard);
  });
});
