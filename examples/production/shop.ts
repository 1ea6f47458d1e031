/** The code of the shop: one orchestration with one activity. */
import { activity, orchestration } from "@duroxide-ts/core";

const charge = activity("charge", async (_ctx, cents: number) => `charged ${cents} cents`);

const checkout = orchestration("checkout", async (ctx, cents: number) => {
  return ctx.scheduleActivity(charge, cents, { retry: { maxAttempts: 3 }, timeout: { seconds: 30 } });
});

export const handlers = { activities: [charge], orchestrations: [checkout] };
