/** Declares what the mistakes of this folder are made with. Nothing here runs; programs.ts has what does. */
import {
  activity,
  type Client,
  event,
  type InstanceHandle,
  key,
  type OrchestrationContext,
  orchestration,
  type Provider,
  queue,
} from "@duroxide-ts/core";

export interface Order {
  readonly id: string;
  readonly cents: number;
}

export const charge = activity("charge", async (_ctx, order: Order) => ({ receipt: order.id }));
export const ship = activity(
  "ship",
  async (_ctx, label: { receipt: string }) => `parcel of ${label.receipt}`,
);
export const isPaid = activity("isPaid", async (_ctx, id: string) => id !== "");
export const ping = activity("ping", async () => 5);
export const due = activity("due", async (_ctx, id: string) => ({ id, at: new Date(0) }));
export const checkout = orchestration("checkout", async (ctx, order: Order) =>
  ctx.scheduleActivity(charge, order),
);

export const approved = event<boolean>("approved");
export const jobs = queue<{ n: number }>("jobs");
export const progress = key<number>("progress");

export declare const ctx: OrchestrationContext;
export declare const client: Client;
export declare const handle: InstanceHandle<{ receipt: string }>;
export declare const provider: Provider;
export declare const order: Order;
