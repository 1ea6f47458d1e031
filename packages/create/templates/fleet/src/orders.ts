/** The orchestration: any process of the fleet runs any of its steps. */
import { setTimeout as pause } from "node:timers/promises";
import { activity, orchestration } from "@duroxide-ts/core";

/** Stands for a system that takes its time, and tells which process has called it. */
async function work(): Promise<string> {
  await pause(300);
  return `process ${process.pid}`;
}

export const charge = activity("charge", async (_ctx, _cents: number) => work());
export const ship = activity("ship", async (_ctx, _order: string) => work());

export const checkout = orchestration("checkout", async (ctx, order: { id: string; cents: number }) => {
  const retry = { maxAttempts: 5 };
  const charged = await ctx.scheduleActivity(charge, order.cents, { retry });
  await ctx.scheduleTimer({ seconds: 1 });
  const shipped = await ctx.scheduleActivity(ship, order.id, { retry });
  return { charged, shipped };
});

export const handlers = { orchestrations: [checkout], activities: [charge, ship] };
