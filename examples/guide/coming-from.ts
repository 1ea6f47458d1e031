/** docs/coming-from.md */
import { equal } from "node:assert/strict";
import { activity, event, orchestration } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

let declined = 1;
async function charge(cents: number): Promise<string> {
  if (declined-- > 0) throw new Error("try again");
  return `receipt for ${cents}`;
}

// #region ours
const chargeCard = activity("chargeCard", async (_ctx, cents: number): Promise<string> => charge(cents));
const approved = event<boolean>("approved");

const checkout = orchestration("checkout", async (ctx, cents: number): Promise<string> => {
  const winner = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer({ hours: 24 })]);
  if (winner.index === 1) return "nobody approved";
  return ctx.scheduleActivity(chargeCard, cents, { retry: { maxAttempts: 3 } });
});
// #endregion

await onStage({ activities: [chargeCard], orchestrations: [checkout] }, async (stage) => {
  const { client } = stage;
  // #region start
  const order = await client.start(checkout, { instanceId: "order-42", input: 990 });
  await stage.settle(); // in a real program: wait until the order says that it waits
  await order.raise(approved, true);
  // #endregion
  equal(await stage.finish(order), "receipt for 990");
  equal(await stage.finish(await client.start(checkout, { input: 1 })), "nobody approved");
});
