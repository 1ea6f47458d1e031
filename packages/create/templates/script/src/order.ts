/** The orchestration: each result is stored before it is used, so a crash repeats at most the step that it interrupts. */
import { orchestration } from "@duroxide-ts/core";
import { bank, warehouse } from "./services.ts";

export interface Order {
  readonly id: string;
  readonly cents: number;
}

export const checkout = orchestration("checkout", async (ctx, order: Order) => {
  const retry = { maxAttempts: 5 };
  // duroxide limits set bank --concurrency 2: so many at a time, in all processes.
  const limited = { retry, limit: "bank" };
  const receipt = await ctx.run("charge", (step) => bank.charge(order.cents, step.callKey), limited);
  await ctx.run("pack", () => warehouse.pack(order.id), { retry });
  await ctx.scheduleTimer({ seconds: 3 }); // days would do as well: nothing runs meanwhile
  const parcel = await ctx.run("ship", () => warehouse.ship(order.id), { retry });
  return { receipt, parcel };
});
