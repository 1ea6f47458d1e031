/** `Promise.race` leaves the waits that lose open: what they take is reported, and `ctx.race` drops them. */
import { event, type OrchestrationContext, orchestration, queue, type Task } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";

const jobs = queue<string>("jobs");
const hook = event<string>("hook", { keep: true });

type Wait = (ctx: OrchestrationContext) => Task<string>;
type Choose = (ctx: OrchestrationContext, tasks: readonly [Task<string>, Task<void>]) => Promise<unknown>;

const native: Choose = (_ctx, tasks) => Promise.race(tasks);
const own: Choose = async (ctx, tasks) => (await ctx.race(tasks)).value;

/** Waits three times for at most a minute, and returns what it got. */
const rounds = (wait: Wait, choose: Choose) =>
  orchestration("rounds", async (ctx) => {
    const got: unknown[] = [];
    for (let round = 0; round < 3; round += 1)
      got.push((await choose(ctx, [wait(ctx), ctx.scheduleTimer({ minutes: 1 })])) ?? "-");
    return got;
  });

/** Two rounds pass; the message comes in the third. */
async function play(wait: Wait, choose: Choose, send: "enqueue" | "raise") {
  const program = rounds(wait, choose);
  const warnings: { readonly event?: unknown }[] = [];
  const ignore = (): void => {};
  const warn = (fields: object): void => void warnings.push(fields);
  const logger = { debug: ignore, info: ignore, warn, error: warn };
  await using env = await TestEnvironment.create({ orchestrations: [program], logger });
  const handle = await env.client.start(program, { instanceId: "i" });
  await env.advance({ seconds: 130 });
  await (send === "enqueue" ? handle.enqueue(jobs, "m") : handle.raise(hook, "m"));
  await env.advance({ minutes: 5 });
  return { got: await handle.result(), told: warnings.map((fields) => fields.event) };
}

it.each([
  ["a queue", (ctx: OrchestrationContext) => ctx.dequeue(jobs), "enqueue"],
  ["a kept event", (ctx: OrchestrationContext) => ctx.waitForEvent(hook), "raise"],
] as const)("a message of %s for a wait that lost a Promise.race is told", async (_what, wait, send) => {
  const { got, told } = await play(wait, native, send);
  expect(got).toEqual(["-", "-", "-"]);
  expect(told).toContain("message_unheard");
});

it("a wait that lost ctx.race takes nothing", async () => {
  const { got, told } = await play((ctx) => ctx.dequeue(jobs), own, "enqueue");
  expect(got).toEqual(["-", "-", "m"]);
  expect(told).not.toContain("message_unheard");
});

it("a wait that takes part in one race after another hears its message", async () => {
  const waits = new WeakMap<object, Task<string>>();
  const once: Wait = (ctx) => {
    const kept = waits.get(ctx) ?? ctx.dequeue(jobs);
    waits.set(ctx, kept);
    return kept;
  };
  const { got, told } = await play(once, native, "enqueue");
  expect(got).toContain("m");
  expect(told).not.toContain("message_unheard");
});
