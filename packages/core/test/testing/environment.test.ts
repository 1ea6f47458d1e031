/** TestEnvironment: orchestrations in virtual time, with mocks, and with an answer where nothing happens any more. */
import { describe, expect, test } from "vitest";
import { sleep } from "../../src/contract/clock.ts";
import { activity, event, orchestration, queue } from "../../src/define/definitions.ts";
import { ActivityFailedError } from "../../src/errors/duroxide-error.ts";
import { MemoryProvider, replay, StalledError, TestEnvironment } from "../../src/testing/index.ts";

interface Order {
  readonly id: string;
}

const order: Order = { id: "order-42" };
const approved = event<boolean>("approved");
const jobs = queue<number>("jobs");

const charge = activity("charge", async (_ctx, { id }: Order) => ({ receipt: id }));
const ship = activity("ship", async (_ctx, { receipt }: { receipt: string }) => `label-${receipt}`);

const checkout = orchestration("checkout", async (ctx, input: Order): Promise<string> => {
  const receipt = await ctx.scheduleActivity(charge, input, { retry: { maxAttempts: 3 } });
  const winner = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer({ hours: 24 })]);
  if (winner.index === 1) throw new Error("nobody approved");
  return ctx.scheduleActivity(ship, receipt);
});

const orchestrations = [checkout];

/** The same with each call noted, and those of its parts. */
function noting<Target extends object>(target: Target, calls: string[]): Target {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === "object" && value !== null) return noting(value, calls);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        calls.push(String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
}

describe("time", () => {
  test("passes only when the test says so, and timers fire", async () => {
    await using env = await TestEnvironment.create({
      orchestrations,
      activities: [charge, ship.mock(async () => "label-x")],
    });
    const run = await env.start(checkout, { input: order });
    await env.advance({ hours: 25 });
    await expect(run.result()).rejects.toThrow("nobody approved");
    expect(await replay(await run.history(), { orchestrations })).toMatchObject({
      executions: [{ status: "Failed", eventCount: 8 }],
    });
  });

  test("a result may be asked for before time is moved", async () => {
    await using env = await TestEnvironment.create({ orchestrations, activities: [charge, ship] });
    const result = (await env.start(checkout, { input: order })).result();
    await env.advance({ hours: 25 });
    await expect(result).rejects.toThrow("nobody approved");
  });

  test("runToEnd lets it pass, timer by timer", async () => {
    const naps = orchestration("naps", async (ctx, count: number) => {
      for (let n = 0; n < count; n++) await ctx.scheduleTimer({ days: 10 });
      return ctx.now();
    });
    await using env = await TestEnvironment.create({ orchestrations: [naps], startMs: 0 });
    const run = await env.start(naps, { input: 20 });
    expect(await run.runToEnd()).toBe(200 * 86_400_000);
    const long = await env.start(naps, { input: 40 });
    await expect(long.runToEnd()).rejects.toThrow("within the given time");
  });

  test("costs nothing while it passes: an idle year makes no call of the store", async () => {
    const calls: string[] = [];
    const idle = orchestration("idle", async (ctx) => ctx.waitForEvent(approved));
    await using env = await TestEnvironment.create({
      orchestrations: [idle],
      provider: (clock) => noting(new MemoryProvider({ clock }), calls),
    });
    await env.start(idle);
    await env.settle();
    const before = calls.length;
    await env.advance({ days: 365 });
    expect(calls.slice(before)).toEqual([]);
  });

  test("passes for an activity that waits by the environment's clock", async () => {
    const slow = activity("slow", async () => "unused");
    const caller = orchestration("caller", async (ctx) => ctx.scheduleActivity(slow));
    await using env: TestEnvironment = await TestEnvironment.create({
      orchestrations: [caller],
      activities: [
        slow.mock(async () => {
          await sleep(env.clock, 90_000);
          return "late";
        }),
      ],
    });
    const run = await env.start(caller);
    await expect(run.result()).rejects.toThrow("its handler is still running");
    await env.advance({ seconds: 90 });
    expect(await run.result()).toBe("late");
  });
});

describe("activities", () => {
  test("are mocked, and their calls are noted", async () => {
    let failures = 2;
    await using env = await TestEnvironment.create({
      orchestrations,
      activities: [
        charge,
        ship,
        charge.mock(async (_ctx, { id }) => {
          if (failures-- > 0) throw new Error("the bank is asleep");
          return { receipt: `mocked ${id}` };
        }),
      ],
    });
    const run = await env.start(checkout, { input: order });
    await env.advance({ seconds: 1 });
    await run.raise(approved, true);
    expect(await run.result()).toBe("label-mocked order-42");
    expect(env.calls(charge).map(({ outcome }) => outcome.kind)).toEqual(["threw", "threw", "returned"]);
    expect(env.calls(ship)).toEqual([
      {
        activityName: "ship",
        input: { receipt: "mocked order-42" },
        instanceId: run.instanceId,
        executionId: 1,
        attempt: 1,
        outcome: { kind: "returned", value: "label-mocked order-42" },
      },
    ]);
  });

  test("that do real work are waited for", async () => {
    const read = activity("read", async () =>
      (await import("node:fs/promises")).readFile(import.meta.filename, "utf8"),
    );
    const caller = orchestration("caller", async (ctx) => {
      await ctx.scheduleActivity(read);
      await ctx.scheduleTimer(1_000);
      return "read";
    });
    await using env = await TestEnvironment.create({
      orchestrations: [caller],
      activities: [
        read.mock(async (ctx, input) => {
          await read.handler(ctx, input);
          return "";
        }),
      ],
    });
    const run = await env.start(caller);
    await env.advance(1_000);
    expect(await run.result()).toBe("read");
  });

  test("may fail for good", async () => {
    await using env = await TestEnvironment.create({
      orchestrations: [
        orchestration("once", async (ctx) =>
          ctx
            .scheduleActivity(charge, order)
            .catch((error) => error instanceof ActivityFailedError && error.message),
        ),
      ],
      activities: [charge.mock(async () => Promise.reject(new Error("no money")))],
    });
    expect(await (await env.start("once")).result()).toBe("no money");
  });
});

describe("nothing happens any more", () => {
  const stalled = async (env: TestEnvironment, name: string): Promise<string> => {
    const run = await env.start(name);
    const error = await run.result().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StalledError);
    return (error as Error).message.replace(/\([^()]*environment\.test\.ts:\d+:\d+\)/g, "(here)");
  };

  test("events, queues and timers are named, with what would help", async () => {
    const waiting = orchestration("waiting", async (ctx) => {
      ctx.scheduleTimer({ hours: 1 }).cancel();
      const dequeued = ctx.dequeue(jobs);
      return Promise.race([ctx.waitForEvent(approved), dequeued, ctx.scheduleTimer({ hours: 24, ms: 5 })]);
    });
    await using env = await TestEnvironment.create({ orchestrations: [waiting] });
    const message = await stalled(env, "waiting");
    expect(message.split("\n").slice(1)).toEqual([
      '  - a message of the queue "jobs" (here): run.enqueue("jobs", …) sends one',
      '  - the event "approved" (here): run.raise("approved", …) delivers it',
      "  - a timer, due in 1 day 5 ms (here): env.advance({ days: 1, ms: 5 }) fires it",
    ]);
  });

  test("an activity without a handler is named", async () => {
    const caller = orchestration("caller", async (ctx) => ctx.scheduleActivity("unknown", 1));
    await using env = await TestEnvironment.create({ orchestrations: [caller] });
    expect(await stalled(env, "caller")).toContain(
      'the activity "unknown" (here): no handler for it is registered',
    );
  });

  test("an orchestration without a handler is named", async () => {
    await using env = await TestEnvironment.create({ orchestrations });
    expect(await stalled(env, "chekout")).toContain("its start: no orchestration of its name and version");
  });

  test("the open waits of a sub-orchestration are listed too", async () => {
    const child = orchestration("child", async (ctx) => ctx.waitForEvent(approved));
    const parent = orchestration("parent", async (ctx) => ctx.scheduleSubOrchestration(child));
    await using env = await TestEnvironment.create({ orchestrations: [child, parent] });
    const message = await stalled(env, "parent");
    expect(message).toContain(
      'the sub-orchestration "child", which waits for (here)\n    - the event "approved" (here)',
    );
  });
});

describe("a restart", () => {
  test("brings new code to running instances", async () => {
    const v1 = orchestration("greet", async (ctx) => {
      await ctx.waitForEvent(approved);
      return "old";
    });
    const v1fixed = orchestration("greet", async (ctx) => {
      await ctx.waitForEvent(approved);
      return "new";
    });
    await using env = await TestEnvironment.create({ orchestrations: [v1] });
    const run = await env.start(v1);
    await env.restart({ orchestrations: [v1fixed] });
    await run.raise(approved, true);
    expect(await run.result()).toBe("new");
  });

  test("hands out again, when its lock runs out, what was in flight", async () => {
    const caller = orchestration("caller", async (ctx) => ctx.scheduleActivity(ship, { receipt: "r" }));
    const never = ship.mock(() => new Promise(() => {}));
    await using env = await TestEnvironment.create({ orchestrations: [caller], activities: [never] });
    const run = await env.start(caller);
    await env.restart({ activities: [ship] });
    await expect(run.result()).rejects.toThrow(StalledError);
    await env.advance({ seconds: 30 });
    expect(await run.result()).toBe("label-r");
    expect(env.calls("ship").map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe("a run", () => {
  const collector = orchestration("collector", async (ctx) => {
    const sum = (await ctx.dequeue(jobs)) + (await ctx.dequeue(jobs));
    ctx.kv.set("sum", sum);
    await ctx.waitForEvent(approved);
    return sum;
  });

  test("takes messages and cancellation, and can be looked at", async () => {
    await using env = await TestEnvironment.create({ orchestrations: [collector] });
    const run = await env.start(collector);
    await Promise.all([run.enqueue(jobs, 1), run.enqueue(jobs, 2)]);
    expect(await run.get<number>("sum")).toBe(3);
    expect((await run.history()).map(({ type }) => type)).toEqual([
      "OrchestrationStarted",
      "ExternalSubscribedPersistent",
      "ExternalEventPersistent",
      "ExternalEventPersistent",
      "ExternalSubscribedPersistent",
      "KeyValueSet",
      "ExternalSubscribed",
    ]);
    await run.cancel("enough");
    await expect(run.result()).rejects.toThrow("canceled: enough");
  });

  test("may be of an instance that the test did not start", async () => {
    const parent = orchestration("parent", async (ctx) =>
      ctx.scheduleSubOrchestration(collector, undefined, { instanceId: "child" }),
    );
    await using env = await TestEnvironment.create({ orchestrations: [parent, collector] });
    const run = await env.start(parent);
    const child = env.run(collector, "child");
    await child.enqueue(jobs, 1);
    await child.enqueue(jobs, 2);
    await child.raise(approved, true);
    expect([await child.result(), await run.result()]).toEqual([3, 3]);
  });

  test("gives its result also where the test returns it without awaiting it", async () => {
    const result = async (): Promise<string> => {
      await using env = await TestEnvironment.create({ orchestrations, activities: [charge, ship] });
      const run = await env.start(checkout, { input: order });
      await run.raise(approved, true);
      return run.result();
    };
    expect(await result()).toBe("label-order-42");
  });

  test("is the same in every test: ids come from a fixed seed", async () => {
    const ids = async (): Promise<string> => {
      await using env = await TestEnvironment.create({ orchestrations, activities: [charge, ship] });
      return (await env.start(checkout, { input: order })).instanceId;
    };
    expect(await ids()).toBe(await ids());
  });
});

test("options that cannot work together are refused as the runtime refuses them", async () => {
  await expect(TestEnvironment.create({})).rejects.toThrow("at least one orchestration or activity");
});
