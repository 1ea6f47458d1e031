/** The orchestration: an order waits for its payment for two days. */
import { orchestration, queue } from "@duroxide-ts/core";
import * as z from "zod";

export const Order = z.object({ sku: z.string(), cents: z.int().positive() });
export const payments = queue<{ readonly cents: number }>("payments");

export const checkout = orchestration("checkout", { input: Order }, async (ctx, { sku, cents }) => {
  const payment = await ctx.race([ctx.dequeue(payments), ctx.scheduleTimer({ days: 2 })]);
  if (payment.index === 1) return `${sku}: nobody paid`;
  if (payment.value.cents < cents) return `${sku}: ${cents - payment.value.cents} cents are missing`;
  return ctx.run("ship", () => `${sku} is on its way`, { retry: { maxAttempts: 5 } });
});
