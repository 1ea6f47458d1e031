/** docs/guide/16-queries.md */
import { deepEqual, equal, rejects } from "node:assert/strict";
import { activity, orchestration } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

const charge = activity("charge", async (_ctx, cents: number) => `receipt ${cents}`);
const pack = orchestration("pack", async (ctx) => ctx.waitForEvent("packed"));

// #region set
const order = orchestration("order", async (ctx, cents: number) => {
  await ctx.scheduleActivity(charge, cents);
  ctx.setTags({ state: "paid", priority: undefined });
  await ctx.scheduleSubOrchestration(pack, undefined, { inheritTags: true });
  ctx.setTags({ state: "shipped" });
});
// #endregion

await onStage({ orchestrations: [order, pack], activities: [charge] }, async (stage) => {
  const { client } = stage;
  // #region start
  await client.start(order, {
    instanceId: "order-42",
    input: 1990,
    tags: { tenant: "acme", priority: 3, vip: true },
  });
  // #endregion
  await client.start(order, { instanceId: "order-43", input: 500, tags: { tenant: "other", priority: 1 } });
  await stage.settle();

  // #region find
  const { instances } = await client.admin.query({
    filter: { tags: { tenant: "acme", state: "paid" }, name: ["order"], status: ["Running"] },
  });
  const [first] = instances;
  // #endregion
  equal(first?.instanceId, "order-42");
  deepEqual(first?.tags, { tenant: "acme", state: "paid", vip: true });
  const { counts } = await client.admin.count({ tags: { tenant: "acme" } });
  equal(counts[0]?.count, 2);
  equal((await client.admin.query({ filter: { tags: { vip: "true" } } })).instances.length, 0);
  const few = await client.admin.query({ filter: { tags: { priority: { lt: 2 } } } });
  deepEqual(few.instances, []);

  // #region bulk
  const { admin } = client;
  await admin.forEach({ tags: { tenant: "other" }, rootsOnly: true }, (id) =>
    admin.terminate(id, { reason: "the tenant has left" }),
  );
  await admin.deleteAll({ tags: { tenant: "other" } });
  // #endregion
  deepEqual(
    (await admin.query({ filter: { name: ["order"] } })).instances.map(({ instanceId }) => instanceId),
    ["order-42"],
  );
  await rejects(client.start(order, { input: 1, tags: { note: "x".repeat(257) } }), /257 bytes/);
});
