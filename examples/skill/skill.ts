/** docs/skill/SKILL.md */
import { deepEqual, equal, rejects } from "node:assert/strict";
import { onStage } from "../guide/stage.ts";

const calls: string[] = [];
const bank = {
  charge: async (order: Order, _key: string) => `receipt of ${order.id}`,
  refund: async (receipt: string) => calls.push(`refund ${receipt}`),
};
const warehouse = {
  ship: async (id: string) => {
    if (id === "lost") throw new Error("no such shelf");
    return `label of ${id}`;
  },
};
const mail = { send: async (text: string) => calls.push(text) };

// #region definitions
import { event, orchestration } from "@duroxide-ts/core";

interface Order {
  readonly id: string;
  readonly cents: number;
}

export const paid = event<{ by: string }>("paid", { keep: true });

export const checkout = orchestration("checkout", async (ctx, order: Order) => {
  const receipt = await ctx.run("charge", (step) => bank.charge(order, step.callKey), {
    retry: { maxAttempts: 5, backoff: { kind: "exponential", base: { seconds: 1 } } },
    timeout: { seconds: 30 },
  });
  ctx.setCustomStatus("waiting for the payment");
  const winner = await ctx.race([ctx.waitForEvent(paid), ctx.scheduleTimer({ days: 3 })]);
  if (winner.index === 1) return "expired";
  await ctx.run("ship", () => warehouse.ship(order.id));
  return `${receipt}, paid by ${winner.value.by}`;
});

// #endregion

// #region process
import { Client, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

async function main(file: string): Promise<string> {
  await using provider = await SqliteProvider.open(file);
  await using _runtime = await Runtime.start({ provider, orchestrations: [checkout] });
  const client = new Client(provider);
  const order = await client.start(checkout, { instanceId: "order-42", input: { id: "42", cents: 990 } });
  await order.raise(paid, { by: "card" });
  return await order.result({ timeout: { minutes: 1 } }); // without `await` the store closes first
}
// #endregion
equal(await main(":memory:"), "receipt of 42, paid by card");

// #region parallel
const quotes = orchestration("quotes", async (ctx, cities: string[]) => {
  const prices = await ctx.all(cities.map((city) => ctx.run(`ask ${city}`, async () => city.length)));
  return Math.min(...prices);
});
// #endregion

// #region saga
const delivery = orchestration("delivery", async (ctx, order: Order) => {
  const saga = ctx.saga();
  await saga.run(
    "charge",
    (step) => bank.charge(order, step.callKey),
    (receipt) => bank.refund(receipt),
  );
  return saga.run(
    "ship",
    () => warehouse.ship(order.id),
    () => mail.send("come back"),
  );
});
// #endregion

// #region child
const wholesale = orchestration("wholesale", async (ctx, orders: Order[]) =>
  ctx.all(
    orders.map((order) =>
      ctx.scheduleSubOrchestration(delivery, order, { instanceId: `delivery-${order.id}` }),
    ),
  ),
);
// #endregion

// #region eternal
const reminders = orchestration("reminders", async (ctx, sent: number): Promise<never> => {
  await ctx.run("remind", () => mail.send(`reminder ${sent + 1}`));
  await ctx.scheduleTimer({ days: 1 });
  return ctx.continueAsNew(reminders, sent + 1);
});

// #endregion

// #region cron
import { schedule } from "@duroxide-ts/core";

const report = orchestration("report", async (ctx) => {
  const day = new Date(ctx.scheduled?.dueMs ?? ctx.now()).toISOString().slice(0, 10);
  await ctx.run("send", () => mail.send(`report of ${day}`));
});
export const nightly = schedule("nightly", {
  cron: "0 3 * * *",
  timezone: "Europe/Berlin",
  orchestration: report,
});
// #endregion

// #region patched
const renewal = orchestration("renewal", async (ctx, order: Order) => {
  if (ctx.patched("tell-first")) await ctx.run("tell", () => mail.send(`renewing ${order.id}`));
  return ctx.run("charge", (step) => bank.charge(order, step.callKey));
});
// #endregion

await onStage(
  { orchestrations: [quotes, delivery, wholesale, reminders, report, renewal] },
  async (stage) => {
    const { client } = stage;
    equal(await stage.finish(await client.start(quotes, { input: ["Rome", "Oslo1"] })), 4);
    const lost = await stage.failure(await client.start(delivery, { input: { id: "lost", cents: 1 } }));
    equal(lost.message, "no such shelf");
    deepEqual(calls.splice(0), ["refund receipt of lost"]);
    const both = await client.start(wholesale, { input: [{ id: "7", cents: 1 }] });
    deepEqual(await stage.finish(both), ["label of 7"]);
    const eternal = await client.start(reminders, { input: 0 });
    await stage.advance(2.5 * 86_400_000);
    await eternal.cancel();
    deepEqual(calls.splice(0), ["reminder 1", "reminder 2", "reminder 3"]);
    await stage.finish(await client.start(report));
    equal(calls.splice(0).length, 1);
    equal(await stage.finish(await client.start(renewal, { input: { id: "1", cents: 1 } })), "receipt of 1");
    deepEqual(calls.splice(0), ["renewing 1"]);
  },
);

// #region test
import { replay, TestEnvironment } from "@duroxide-ts/core/testing";

async function anOrderThatNobodyPaysExpires(): Promise<void> {
  await using env = await TestEnvironment.create({ orchestrations: [checkout] });
  const run = await env.start(checkout, { input: { id: "42", cents: 990 } });
  await env.advance({ days: 3 }); // virtual time: nothing sleeps
  equal(await run.result(), "expired");
  equal(env.calls("charge").length, 1);
  await replay(await run.history(), { orchestrations: [checkout] }); // today's code fits this history
}
// #endregion
await anOrderThatNobodyPaysExpires();

// #region mock
import { activity } from "@duroxide-ts/core";

async function aDeclinedCardFailsTheOrder(): Promise<void> {
  const declined = activity("charge", async () => {
    throw new Error("declined");
  });
  await using env = await TestEnvironment.create({ orchestrations: [checkout], activities: [declined] });
  const run = await env.start(checkout, { input: { id: "42", cents: 990 } });
  await rejects(run.runToEnd(), /declined/); // moves time over the pauses of the retries
  equal(env.calls("charge").length, 5);
}
// #endregion
await aDeclinedCardFailsTheOrder();

// #region look
async function whatIsWrong(client: Client): Promise<string[]> {
  const found: string[] = [];
  for await (const { instanceId, reason } of client.admin.blocked()) found.push(`${instanceId}: ${reason}`);
  const { instances } = await client.admin.query({ filter: { status: ["Failed"] } });
  for (const { instanceId } of instances) found.push(`${instanceId}: failed`);
  return found;
}
// #endregion
await onStage({ orchestrations: [delivery] }, async (stage) => {
  await stage.failure(
    await stage.client.start(delivery, { instanceId: "d-1", input: { id: "lost", cents: 1 } }),
  );
  deepEqual(await whatIsWrong(stage.client), ["d-1: failed"]);
});
