/** docs/guide/07-state.md */
import { deepEqual, equal, match } from "node:assert/strict";
import { activity, DuroxideError, key, orchestration } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

const step = activity("step", async (_ctx, name: string) => name);

// #region status
const migrate = orchestration("migrate", async (ctx, tables: string[]) => {
  for (const [index, table] of tables.entries()) {
    ctx.setCustomStatus({ table, done: index, of: tables.length });
    await ctx.scheduleActivity(step, table);
  }
  return tables.length;
});
// #endregion

await onStage({ activities: [step], orchestrations: [migrate] }, async (stage) => {
  const { client } = stage;
  const seen: unknown[] = [];
  // #region watch
  const handle = await client.start(migrate, { instanceId: "m", input: ["users", "orders"] });
  for await (const status of handle.customStatus()) seen.push(status); // ends with the instance
  // #endregion
  equal(await handle.result(), 2);
  deepEqual(seen.at(-1), { table: "orders", done: 1, of: 2 });
});

// #region kv
const attempts = key<number>("attempts");
const lastError = key<string>("last error");

const persistent = orchestration("persistent", async (ctx, name: string) => {
  ctx.kv.set(attempts, (ctx.kv.get(attempts) ?? 0) + 1); // visible to `get` at once, to clients after the turn
  ctx.kv.set(lastError, "none yet");
  const result = await ctx.scheduleActivity(step, name);
  ctx.kv.delete(lastError);
  return [result, ctx.kv.keys()];
});
// #endregion

await onStage({ activities: [step], orchestrations: [persistent] }, async (stage) => {
  const { client } = stage;
  const handle = await client.start(persistent, { instanceId: "p", input: "x" });
  deepEqual(await stage.finish(handle), ["x", ["attempts"]]);
  // #region client-kv
  const count = await handle.get(attempts); // number | undefined
  const all = await handle.entries(); // a Map of everything
  const soon = await handle.waitFor(attempts, { timeout: { seconds: 5 } }); // waits until it exists
  // #endregion
  deepEqual([count, [...all], soon], [1, [["attempts", 1]], 1]);
});

// #region other
const price = key<number>("price");

const shop = orchestration("shop", async (ctx, cents: number) => {
  ctx.kv.set(price, cents);
  await ctx.waitForEvent("close");
});

const buyer = orchestration("buyer", async (ctx, shopId: string) => {
  const cents = await ctx.kv.getFromInstance(shopId, price); // number | undefined
  return cents === undefined ? "no such shop" : `costs ${cents}`;
});
// #endregion

await onStage({ orchestrations: [shop, buyer] }, async (stage) => {
  const { client } = stage;
  await client.start(shop, { instanceId: "shop-1", input: 250 });
  await stage.settle();
  equal(await stage.finish(await client.start(buyer, { input: "shop-1" })), "costs 250");
  equal(await stage.finish(await client.start(buyer, { input: "shop-2" })), "no such shop");
});

// #region limit
const careless = orchestration("careless", async (ctx) => {
  try {
    ctx.kv.set("report", "x".repeat(70_000));
    return "stored";
  } catch (error) {
    if (!DuroxideError.is(error, "limit-exceeded")) throw error;
    return error.message; // nothing was recorded
  }
});
// #endregion

await onStage({ orchestrations: [careless] }, async (stage) => {
  match(await stage.finish(await stage.client.start(careless)), /exceeds limit \(65536 bytes\)/);
});

// #region expire
const cache = orchestration("cache", async (ctx) => {
  ctx.kv.set("old", 1);
  await ctx.scheduleTimer({ days: 2 });
  ctx.kv.set("new", 2);
  const deleted = ctx.kv.deleteUpdatedBefore(ctx.now() - 24 * 3_600_000);
  return [deleted, ctx.kv.keys()];
});
// #endregion

await onStage({ orchestrations: [cache] }, async (stage) => {
  deepEqual(await stage.finish(await stage.client.start(cache)), [1, ["new"]]);
});
