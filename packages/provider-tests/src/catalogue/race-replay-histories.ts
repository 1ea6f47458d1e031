/**
 * Executions as a runtime of version 0.1.31 leaves them in the middle of races between dequeues and timers, and the
 * code that made them. Each waits for one more message.
 */
import type { OrchestrationContext } from "@duroxide-ts/core";
import { begun, type Line } from "./race-replay-leftovers.ts";

export interface RecordedRace {
  readonly program: (ctx: OrchestrationContext) => Promise<string>;
  readonly lines: readonly Line[];
  /** Sent to the replayed execution. */
  readonly lastMessage: string;
  /** The messages in the order in which they were sent. */
  readonly output: string;
}

const dequeued: Line = ["ExternalSubscribedPersistent", { name: "jobs" }];
const timerSet: Line = ["TimerCreated", { fire_at_ms: 1_000 }];

function fired(timer: number): Line {
  return ["TimerFired", { fire_at_ms: 1_000 }, timer];
}

function message(data: string): Line {
  return ["ExternalEventPersistent", { name: "jobs", data: JSON.stringify(data) }];
}

function givenUp(dequeue: number): Line {
  return ["ExternalSubscribedPersistentCancelled", { reason: "dropped_future" }, dequeue];
}

async function read(ctx: OrchestrationContext, count: number): Promise<string[]> {
  const messages: string[] = [];
  while (messages.length < count) messages.push(await ctx.dequeue<string>("jobs"));
  return messages;
}

/** A timer beats two dequeues; the next dequeue gets the message that arrives with it. */
const q1: RecordedRace = {
  async program(ctx) {
    await ctx.race([ctx.dequeue("jobs"), ctx.dequeue("jobs"), ctx.scheduleTimer(1_000)]);
    return (await read(ctx, 2)).join();
  },
  lines: [
    begun("q1"),
    dequeued,
    dequeued,
    timerSet,
    fired(4),
    message("m1"),
    dequeued,
    dequeued,
    givenUp(2),
    givenUp(3),
  ],
  lastMessage: "m2",
  output: "m1,m2",
};

/** The first of two dequeues wins; the next dequeue gets the message that the second would have received. */
const q2: RecordedRace = {
  async program(ctx) {
    const first = await ctx.race([ctx.dequeue("jobs"), ctx.dequeue("jobs"), ctx.scheduleTimer(1_000)]);
    return [first.value, ...(await read(ctx, 2))].join();
  },
  lines: [
    begun("q2"),
    dequeued,
    dequeued,
    timerSet,
    message("m1"),
    message("m2"),
    dequeued,
    dequeued,
    givenUp(3),
  ],
  lastMessage: "m3",
  output: "m1,m2,m3",
};

/** A race within a race; whichever timer wins, the message is kept. */
async function nested(ctx: OrchestrationContext): Promise<string> {
  const inner = ctx.race([ctx.dequeue("jobs"), ctx.scheduleTimer(1_000)]);
  await ctx.race([inner, ctx.scheduleTimer(1_000)]);
  return (await read(ctx, 2)).join();
}

function q6(name: string, winner: number): RecordedRace {
  return {
    program: nested,
    lines: [
      begun(name),
      dequeued,
      timerSet,
      timerSet,
      fired(winner),
      message("m1"),
      dequeued,
      dequeued,
      givenUp(2),
    ],
    lastMessage: "m2",
    output: "m1,m2",
  };
}

/** Recorded races by the name of their orchestration. */
export const recordedRaces: Readonly<Record<string, RecordedRace>> = {
  q1,
  q2,
  "q6 inner": q6("q6 inner", 3),
  "q6 outer": q6("q6 outer", 4),
};
