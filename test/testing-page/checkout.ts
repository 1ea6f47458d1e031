/** The program that docs/testing.md tests. */
// #region program
import { activity, event, orchestration } from "@duroxide-ts/core";

export const approved = event<boolean>("approved");

export const charge = activity("charge", async (_ctx, order: { id: string }) => `receipt of ${order.id}`);
export const ship = activity("ship", async (_ctx, receipt: string) => `label for ${receipt}`);

export const checkout = orchestration("checkout", async (ctx, order: { id: string }) => {
  const receipt = await ctx.scheduleActivity(charge, order, { retry: { maxAttempts: 3 } });
  const winner = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer({ hours: 24 })]);
  if (winner.index === 1) throw new Error("nobody approved");
  return ctx.scheduleActivity(ship, receipt);
});
// #endregion
