/** docs/guide/05-children-and-detached-starts.md */
import { deepEqual, equal } from "node:assert/strict";
import { activity, orchestration, SubOrchestrationFailedError } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

const book = activity("book", async (_ctx, parcel: string) => `tracking number of ${parcel}`);

// #region children
const shipParcel = orchestration("shipParcel", async (ctx, parcel: string) => {
  return ctx.scheduleActivity(book, parcel, { retry: { maxAttempts: 5 } });
});

const shipOrder = orchestration("shipOrder", async (ctx, parcels: string[]) =>
  ctx.all(parcels.map((parcel) => ctx.scheduleSubOrchestration(shipParcel, parcel))),
);
// #endregion

await onStage({ activities: [book], orchestrations: [shipParcel, shipOrder] }, async (stage) => {
  const { client } = stage;
  const run = await client.start(shipOrder, { instanceId: "order-5", input: ["a", "b"] });
  deepEqual(await stage.finish(run), ["tracking number of a", "tracking number of b"]);
  const tree = await client.admin.tree("order-5");
  deepEqual(tree.allIds.toSorted(), ["order-5", "order-5::sub::2", "order-5::sub::3"]);
});

// #region explicit-id
const shipNamed = orchestration("shipNamed", async (ctx, parcel: string) => {
  const instanceId = `parcel/${parcel}`; // so that a client can find it: client.handle(shipParcel, "parcel/a")
  try {
    return await ctx.scheduleSubOrchestration(shipParcel, parcel, { instanceId });
  } catch (error) {
    if (SubOrchestrationFailedError.is(error, "sub-orchestration-failed")) return error.message;
    throw error;
  }
});
// #endregion

await onStage({ activities: [book], orchestrations: [shipParcel, shipNamed] }, async (stage) => {
  const { client } = stage;
  const first = await client.start(shipNamed, { instanceId: "first", input: "a" });
  equal(await stage.finish(first), "tracking number of a");
  const second = await client.start(shipNamed, { instanceId: "second", input: "a" });
  equal(
    await stage.finish(second),
    "sub-orchestration instance id 'parcel/a' already exists and is terminal",
  );
});

const refunded: string[] = [];
const refund = activity("refund", async (_ctx, order: string) => {
  refunded.push(order);
});

// #region cancelled-child
const delivery = orchestration("delivery", async (ctx) => {
  await ctx.waitForEvent("delivered");
});

const order = orchestration("order", async (ctx, name: string) => {
  try {
    await ctx.scheduleSubOrchestration(delivery, undefined, { instanceId: `${name}/delivery` });
    return "delivered";
  } catch (error) {
    await ctx.scheduleActivity(refund, name);
    return `refunded, because ${(error as Error).message}`;
  }
});
// #endregion

await onStage({ activities: [refund], orchestrations: [delivery, order] }, async (stage) => {
  const { client } = stage;
  const run = await client.start(order, { instanceId: "o-1", input: "o-1" });
  await stage.settle();
  // #region cancel-child
  await client.handle(delivery, "o-1/delivery").cancel("the customer moved away");
  // #endregion
  equal(await stage.finish(run), "refunded, because canceled: the customer moved away");
  deepEqual(refunded, ["o-1"]);
});

const released: string[] = [];
const reserve = activity("reserve", async (_ctx, what: string) => what);
const release = activity("release", async (_ctx, what: string) => {
  released.push(what);
});

// #region on-cancel
const booking = orchestration("booking", async (ctx, trip: string) => {
  await ctx.scheduleActivity(reserve, `flight ${trip}`);
  ctx.onCancel(async (ctx) => ctx.scheduleActivity(release, `flight ${trip}`));
  await ctx.scheduleActivity(reserve, `hotel ${trip}`);
  ctx.onCancel(async (ctx, reason) => ctx.scheduleActivity(release, `hotel ${trip}: ${reason}`), {
    timeout: { minutes: 2 },
  });
  await ctx.waitForEvent("paid");
});
// #endregion

await onStage({ activities: [reserve, release], orchestrations: [booking] }, async (stage) => {
  const run = await stage.client.start(booking, { instanceId: "b-1", input: "to Rome" });
  await stage.settle();
  await run.cancel("strike");
  await stage.finish(run).catch((error: Error) => equal(error.message, "canceled: strike"));
  deepEqual(released, ["hotel to Rome: strike", "flight to Rome"]);
});

// #region give-up
const impatient = orchestration("impatient", async (ctx) => {
  const winner = await ctx.race([
    ctx.scheduleSubOrchestration(delivery, undefined, { instanceId: "slow-delivery" }),
    ctx.scheduleTimer({ days: 30 }),
  ]);
  return winner.index === 0 ? "delivered" : "given up"; // the child was cancelled
});
// #endregion

await onStage({ orchestrations: [delivery, impatient] }, async (stage) => {
  equal(await stage.finish(await stage.client.start(impatient)), "given up");
  await stage.settle();
  const child = await stage.client.handle(delivery, "slow-delivery").status();
  equal(child.status === "Cancelled" && child.reason, "parent dropped sub-orchestration future");
});

// #region detached
const survey = orchestration("survey", async (ctx, customer: string) => {
  await ctx.scheduleTimer({ days: 14 });
  return `asked ${customer}`;
});

const sale = orchestration("sale", async (ctx, customer: string) => {
  ctx.startOrchestration(survey, { instanceId: `survey-${customer}`, input: customer });
  return "sold";
});
// #endregion

await onStage({ orchestrations: [survey, sale] }, async (stage) => {
  const { client } = stage;
  equal(await stage.finish(await client.start(sale, { input: "Ada" })), "sold");
  equal(await stage.finish(await client.start(sale, { input: "Ada" })), "sold");
  equal(await stage.finish(client.handle(survey, "survey-Ada")), "asked Ada");
});

const remind = orchestration("remind", async (ctx) => ctx.dequeue<string>("notes"));

await onStage({ orchestrations: [remind] }, async (stage) => {
  const { client } = stage;
  // #region later
  const reminder = await client.start(remind, { instanceId: "remind-Ada", after: { days: 3 } }); // or a Date
  await reminder.enqueue("notes", "kept until the code reads it");
  const { instances } = await client.admin.query({ filter: { status: ["Scheduled"] } });
  // #endregion
  equal(instances.length <= 1, true);
  await stage.settle();
  equal((await reminder.status()).status, "Scheduled");
  equal(await stage.finish(reminder), "kept until the code reads it");
});
