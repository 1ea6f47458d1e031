/** docs/guide/27-service.md */
import { deepEqual, equal } from "node:assert/strict";
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";

interface Order {
  readonly id: string;
  readonly cents: number;
}

// #region dependencies
/** src/dependencies.ts: what the code of the orders needs of the world. */
interface Dependencies {
  readonly payments: { charge(cents: number, key: string, signal: AbortSignal): Promise<string> };
  readonly orders: { save(id: string, receipt: string): Promise<void> };
}
// #endregion

// #region activities
/** src/orders/activities.ts: one function for all, whose argument is what they need. */
function orderActivities({ payments, orders }: Dependencies) {
  return {
    charge: activity("charge", async ({ callKey, signal }, { cents }: Order) =>
      payments.charge(cents, callKey, signal),
    ),
    save: activity("save", async (_ctx, { id, receipt }: { id: string; receipt: string }) =>
      orders.save(id, receipt),
    ),
    announce: activity("announce", async ({ client }, id: string) => {
      await client.start(report, { instanceId: `report-${id}`, input: id });
    }),
  };
}
// #endregion

const report = orchestration("report", async (_ctx, id: string) => `order ${id} is paid`);

// #region orchestration
/** src/orders/checkout.ts: gets the activities as values, so that inputs and results have their types. */
function checkoutOf({ charge, save, announce }: ReturnType<typeof orderActivities>) {
  return orchestration("checkout", async (ctx, order: Order) => {
    const receipt = await ctx.scheduleActivity(charge, order);
    await ctx.scheduleActivity(save, { id: order.id, receipt });
    await ctx.scheduleActivity(announce, order.id);
    return receipt;
  });
}
// #endregion

// #region orders
/** src/orders/index.ts: all that a process registers, and what callers start. */
function ordersOf(dependencies: Dependencies) {
  const activities = orderActivities(dependencies);
  const checkout = checkoutOf(activities);
  return { checkout, activities: Object.values(activities), orchestrations: [checkout, report] };
}
// #endregion

const charged: string[] = [];
const fromEnvironment = (): Dependencies => ({
  payments: {
    async charge(cents, key) {
      charged.push(key);
      return `receipt of ${cents}`;
    },
  },
  orders: { save: async () => {} },
});

// #region main
/** src/main.ts: the one place that makes connections, and that closes them. */
async function start(file: string) {
  const { checkout, ...handlers } = ordersOf(fromEnvironment());
  const provider = await SqliteProvider.open(file);
  const runtime = await Runtime.start({ provider, ...handlers });
  const client = new Client(provider);
  const stop = async (): Promise<void> => {
    await runtime.shutdown({ graceMs: 10_000 });
    await provider.close();
  };
  return { client, checkout, stop };
}
// #endregion

const { client, checkout, stop } = await start(":memory:");
const order = await client.start(checkout, { instanceId: "order-7", input: { id: "7", cents: 1_990 } });
equal(await order.result(), "receipt of 1990");
equal(charged.length, 1);
equal(await client.handle(report, "report-7").result(), "order 7 is paid");
await stop();

// #region test
/** src/orders/checkout.test.ts: the same code with other dependencies. */
const saved: string[] = [];
const { checkout: tested, ...handlers } = ordersOf({
  payments: { charge: async (cents) => `paid ${cents}` },
  orders: {
    async save(id, receipt) {
      saved.push(`${id}: ${receipt}`);
    },
  },
});
await using env = await TestEnvironment.create(handlers);
const run = await env.start(tested, { input: { id: "8", cents: 5 } });
equal(await run.result(), "paid 5");
deepEqual(saved, ["8: paid 5"]);
// #endregion
