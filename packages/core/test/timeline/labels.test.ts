/** A call may have a label for people: events store it, timelines show it, and replays ignore it. */
import { expect, test } from "vitest";
import { activity, orchestration } from "../../src/index.ts";
import { replay, TestEnvironment } from "../../src/testing/index.ts";

const ship = activity("ship", async (_ctx, parcel: string) => parcel);
const child = orchestration("child", async () => undefined);

const order = (label: (text: string) => string) =>
  orchestration("order", async (ctx) => {
    await ctx.all([
      ctx.scheduleActivity(ship, "b1", { label: label("parcel b1") }),
      ctx.scheduleActivity(ship, "b2", { label: label("parcel b2") }),
    ]);
    await ctx.scheduleSubOrchestration(child, undefined, { label: label("invoice") });
    await ctx.dequeue("lines", { label: label("first line") });
    await ctx.race([
      ctx.waitForEvent("approved", { label: label("approval by the buyer") }),
      ctx.scheduleTimer({ days: 2 }, { label: label("approval until Monday") }),
    ]);
  });

async function started(label: (text: string) => string): Promise<TestEnvironment> {
  const env = await TestEnvironment.create({ orchestrations: [order(label), child], activities: [ship] });
  const handle = await env.start("order", { instanceId: "i" });
  await handle.enqueue("lines", 1);
  await env.advance({ seconds: 1 });
  return env;
}

test("the steps of every kind have their labels, and so has what the instance waits for", async () => {
  await using env = await started((text) => text);
  const { steps, waits } = await env.client.admin.timeline("i");
  expect(steps.map(({ kind, label }) => [kind, label])).toEqual([
    ["activity", "parcel b1"],
    ["activity", "parcel b2"],
    ["child", "invoice"],
    ["queue", "first line"],
    ["event", "approval by the buyer"],
    ["timer", "approval until Monday"],
  ]);
  expect(waits.map(({ kind, label }) => [kind, label])).toEqual([
    ["event", "approval by the buyer"],
    ["timer", "approval until Monday"],
  ]);
});

test("the calls of maps and sagas, steps in place and system calls have their labels", async () => {
  const labelled = orchestration("labelled", async (ctx) => {
    await ctx.map([1, 2], (branch, n) => branch.run("pack", () => n, { label: `parcel ${n}` }));
    await ctx.saga().run(
      "reserve",
      () => "seat",
      () => undefined,
      { label: "seat 7" },
    );
    await ctx.utcNow({ label: "clock" });
    const retry = { backoff: { kind: "fixed", delay: { days: 1 } } } as const;
    const flaky = (): never => {
      throw new Error("down");
    };
    await ctx.all([
      ctx.run("call", flaky, { label: "the bank", retry }),
      ctx.scheduleTimer({ cron: "0 3 * * *" }, { label: "the night" }),
    ]);
  });
  await using env = await TestEnvironment.create({ orchestrations: [labelled] });
  await env.start(labelled, { instanceId: "i" });
  await env.advance({ seconds: 1 });
  const { steps, waits } = await env.client.admin.timeline("i");
  const labels = ["parcel 1", "parcel 2", "seat 7", "clock", "the bank", "the night"];
  expect(steps.map(({ label }) => label)).toEqual(labels);
  expect(waits.map(({ label }) => label)?.toSorted()).toEqual(labels.slice(4));
});

test("code whose labels have changed replays what it had recorded with others", async () => {
  await using env = await started((text) => text);
  await replay(await env.client.admin.history("i"), {
    orchestrations: [order((text) => `${text}, as it is called now`)],
  });
});

test("a label of more than 200 characters is cut, whole characters only", async () => {
  await using env = await started((text) => `${"x".repeat(198)}😀${text}`);
  const { steps } = await env.client.admin.timeline("i");
  for (const { label } of steps) expect(label).toBe(`${"x".repeat(198)}…`);
});

test("an empty label is none", async () => {
  await using env = await started(() => "");
  const { steps } = await env.client.admin.timeline("i");
  for (const { label } of steps) expect(label).toBeUndefined();
});

test("a call whose label is no text is refused before it is recorded", async () => {
  const unlabelled = orchestration("order", async (ctx) => {
    await ctx.scheduleTimer({ days: 1 }, { label: 7 as unknown as string }).catch(() => undefined);
  });
  await using env = await TestEnvironment.create({ orchestrations: [unlabelled] });
  const handle = await env.start(unlabelled, { instanceId: "i" });
  await expect(handle.result()).rejects.toThrow("scheduleTimer: label must be a string");
  expect((await env.client.admin.timeline("i")).steps).toEqual([]);
});
