/** Starts with `after` in the environment of users' tests: time is what the test makes it. */
import { expect, it } from "vitest";
import { orchestration, queue } from "../../src/index.ts";
import { TestEnvironment } from "../../src/testing/index.ts";

const notes = queue<string>("notes");
const remind = orchestration("remind", async (ctx) => ctx.dequeue(notes));

it("is scheduled until the clock is advanced to its time", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [remind] });
  const run = await env.start(remind, { instanceId: "i", after: { days: 3 } });
  await run.enqueue(notes, "early");
  expect(await run.status()).toMatchObject({ status: "Scheduled" });
  await env.advance({ days: 2 });
  expect(await run.status()).toMatchObject({ status: "Scheduled" });
  expect(await run.waits()).toMatchObject([{ kind: "timer", what: "a timer, due in 1 day" }]);
  await env.advance({ days: 1 });
  expect(await run.result()).toBe("early");
});

it("is run to its end, and ends as cancelled before", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [remind] });
  const run = await env.start(remind, {
    after: new Date(env.clock.now() + 60_000),
    enqueue: [{ queue: notes, message: "with it" }],
  });
  expect(await run.runToEnd()).toBe("with it");
  const other = await env.start(remind, { after: 60_000 });
  await other.cancel("enough");
  expect(await other.status()).toMatchObject({ status: "Cancelled", reason: "enough" });
});
