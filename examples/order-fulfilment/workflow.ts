/**
 * How an order is fulfilled: the part that a user of the library writes. It knows nothing of crashes, and yet it
 * survives them: each result is stored before the next step begins, and another process can go on from there.
 */
import { activity, event, type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { type Order, type OrderLine, type Outcome, type Parcel, parcelsOf, totalCents } from "./orders.ts";
import { carrier, mail, payments, warehouse } from "./services.ts";

// Activities are where the outside world is touched. Each runs at least once, so a call that must not take effect
// twice gets the activity's key, which is the same however often the activity is handed out.

const reserveStock = activity("reserveStock", async (_ctx, { orderId, line }: Reservation) =>
  warehouse.reserve(orderId, line),
);
const releaseStock = activity("releaseStock", async (_ctx, orderId: string) => warehouse.release(orderId));

const chargeCard = activity("chargeCard", async (ctx, order: Order) =>
  payments.charge(order.card, totalCents(order), ctx.idempotencyKey),
);
const refundCard = activity("refundCard", async (_ctx, receipt: string) => payments.refund(receipt));

const packParcel = activity("packParcel", async (_ctx, parcel: Parcel) => warehouse.pack(parcel));
const bookCarrier = activity("bookCarrier", async (_ctx, parcel: Parcel) => carrier.book(parcel));
const handOver = activity("handOver", async (_ctx, tracking: string) => carrier.collect(tracking));

const tellCustomer = activity("tellCustomer", async (_ctx, { customer, text }: Message) =>
  mail.send(customer, text),
);

interface Reservation {
  readonly orderId: string;
  readonly line: OrderLine;
}

interface Message {
  readonly customer: string;
  readonly text: string;
}

/** Event that an operator sends to an order that waits for it. */
export const approval = event<{ readonly by: string }>("approval");
export const WAITING_FOR_APPROVAL = "waiting for approval";

const APPROVAL_FROM_CENTS = 100_000;
/** An order may have less time than this. */
const SECONDS_TO_APPROVE = 24 * 60 * 60;

/** One parcel, from the shelf into the carrier's van. Resolves with its tracking number. */
const shipParcel = orchestration("shipParcel", async (ctx, parcel: Parcel): Promise<string> => {
  await ctx.scheduleActivity(packParcel, parcel);
  const trackingNumber = await ctx.scheduleActivity(bookCarrier, parcel, {
    retry: { maxAttempts: 5, backoff: { kind: "fixed", delay: 100 } },
  });
  await ctx.scheduleActivity(handOver, trackingNumber);
  return trackingNumber;
});

/** One order. Whatever goes wrong on the way, what was done before is undone, newest first. */
export const fulfilOrder = orchestration("fulfilOrder", async (ctx, order: Order): Promise<Outcome> => {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    ctx.setCustomStatus("reserving stock");
    undo.unshift(() => ctx.scheduleActivity(releaseStock, order.id));
    await ctx.all(order.lines.map((line) => ctx.scheduleActivity(reserveStock, { orderId: order.id, line })));

    if (totalCents(order) >= APPROVAL_FROM_CENTS) await waitForApproval(ctx, order);

    ctx.setCustomStatus("charging the card");
    const receipt = await ctx.scheduleActivity(chargeCard, order, {
      retry: { maxAttempts: 3, backoff: { kind: "exponential", base: 100 } },
    });
    undo.unshift(() => ctx.scheduleActivity(refundCard, receipt));

    ctx.setCustomStatus("shipping");
    const trackingNumbers = await ctx.all(
      parcelsOf(order).map((parcel) => ctx.scheduleSubOrchestration(shipParcel, parcel)),
    );
    await tell(ctx, order, `Your order is on its way: ${trackingNumbers.join(", ")}.`);
    return { status: "delivered", trackingNumbers };
  } catch (error) {
    ctx.setCustomStatus("undoing");
    for (const step of undo) await step();
    const reason = error instanceof Error ? error.message : String(error);
    await tell(ctx, order, `We are sorry, your order was cancelled: ${reason}.`);
    return { status: "cancelled", reason };
  }
});

/** Whichever comes first wins: the approval or the timer. The other one is cancelled. */
async function waitForApproval(ctx: OrchestrationContext, order: Order): Promise<void> {
  ctx.setCustomStatus(WAITING_FOR_APPROVAL);
  const timeout = { seconds: order.approveWithinSeconds ?? SECONDS_TO_APPROVE };
  const first = await ctx.race([ctx.waitForEvent(approval), ctx.scheduleTimer(timeout)]);
  if (first.index === 1) throw new Error("nobody approved");
  ctx.log.info({ by: first.value.by }, "approved");
}

async function tell(ctx: OrchestrationContext, { customer }: Order, text: string): Promise<void> {
  ctx.setCustomStatus("telling the customer");
  await ctx.scheduleActivity(tellCustomer, { customer, text });
}

export const orchestrations = [fulfilOrder, shipParcel];
export const activities = [
  reserveStock,
  releaseStock,
  chargeCard,
  refundCard,
  packParcel,
  bookCarrier,
  handOver,
  tellCustomer,
];
