/** A shop whose instances are in every state that the dashboard shows. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  activity,
  Client,
  event,
  orchestration,
  type Provider,
  queue,
  Runtime,
  silentLogger,
} from "@duroxide-ts/core";
import { z } from "zod";

const approved = event("approved", { schema: z.object({ by: z.string() }) });
const lines = queue<{ sku: string }>("lines");

const reserve = activity("reserveStock", async (_ctx, order: Order) => ({ shelf: `A-${order.number % 7}` }));
const charge = activity("chargeCard", async (_ctx, order: Order) => {
  if (order.card === "declined") throw new CardDeclinedError("card declined: insufficient funds");
  await sleep(order.number % 5);
  return { receipt: `r-${order.number}`, cents: order.cents };
});
const pack = activity("packParcel", async (_ctx, order: Order) => `parcel ${order.number}`);
const book = activity("bookCarrier", async (_ctx, order: Order) => `JD0${order.number}`);

class CardDeclinedError extends Error {
  override readonly name = "CardDeclinedError";
}

export interface Order {
  readonly number: number;
  readonly cents: number;
  readonly card: string;
  readonly customer: string;
}

const shipParcel = orchestration("shipParcel", async (ctx, order: Order): Promise<string> => {
  await ctx.scheduleActivity(pack, order);
  return ctx.scheduleActivity(book, order);
});

export const checkout = orchestration("checkout", async (ctx, order: Order) => {
  ctx.setCustomStatus("reserving stock");
  await ctx.scheduleActivity(reserve, order);
  ctx.setCustomStatus("charging the card");
  const payment = await ctx.scheduleActivity(charge, order, {
    retry: { maxAttempts: 4, backoff: { kind: "exponential", base: 40 } },
  });
  ctx.kv.set("total", payment.cents);
  ctx.setCustomStatus("shipping");
  const tracking = await ctx.scheduleSubOrchestration(shipParcel, order);
  return { ...payment, tracking };
});

export const approval = orchestration("approval", async (ctx, order: Order) => {
  ctx.setCustomStatus("waiting for approval");
  await ctx.scheduleActivity(reserve, order);
  const first = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer({ days: 2 })]);
  return first.index === 0 ? `approved by ${first.value.by}` : "not approved in time";
});

const basket = orchestration("basket", async (ctx): Promise<number> => {
  let count = 0;
  for (;;) {
    const line = await ctx.dequeue(lines);
    if (line.sku === "end") return count;
    count++;
    ctx.kv.set("last", line.sku);
  }
});

const rounds = orchestration("rounds", async (ctx, round: number): Promise<string> => {
  await ctx.scheduleActivity(pack, { number: round, cents: 1, card: "ok", customer: "Ada" });
  if (round < 3) return ctx.continueAsNew("rounds", round + 1);
  return `round ${round}`;
});

/** Fails for as long as the order says. */
const askBank = activity("askBank", async (_ctx, untilMs: number) => {
  await sleep(30);
  if (Date.now() < untilMs) throw new CardDeclinedError("the bank does not answer");
  return "accepted";
});
const inspect = activity("inspectGoods", async (_ctx, ms: number) => sleep(ms, "fine"));

/** Something of everything that a timeline shows. */
const fulfil = orchestration("fulfilOrder", async (ctx, order: Order) => {
  ctx.setCustomStatus("inspecting the goods");
  await ctx.all([60, 110, 170].map((ms) => ctx.scheduleActivity(inspect, ms)));
  await ctx.scheduleActivity(askBank, order.cents, {
    retry: { maxAttempts: 9, backoff: { kind: "exponential", base: 60 } },
  });
  ctx.setCustomStatus("shipping two parcels");
  await ctx.all([
    ctx.scheduleSubOrchestration(shipParcel, order, { label: "parcel b1" }),
    ctx.scheduleSubOrchestration(shipParcel, order, { label: "parcel b2" }),
  ]);
  await ctx.scheduleTimer(150);
  ctx.setCustomStatus("waiting for the customer");
  await ctx.race([ctx.waitForEvent("received"), ctx.scheduleTimer({ days: 14 })]);
});

const release = activity("releaseDeposit", async (_ctx, cents: number) => `released ${cents}`);

/** Cleans up when it is cancelled, and waits for the goods meanwhile. */
const rental = orchestration("rental", async (ctx, order: Order) => {
  await ctx.scheduleActivity(reserve, order);
  ctx.onCancel(
    async (cleanUp) => {
      await cleanUp.scheduleActivity(release, order.cents);
      await cleanUp.waitForEvent("returned");
    },
    { timeout: { days: 3 } },
  );
  await ctx.waitForEvent("over");
});

/** No worker has the activity. */
const invoice = orchestration("invoice", async (ctx, order: Order) =>
  ctx.scheduleActivity("printInvoice", order),
);

/** Its input has a form on the page. */
export const refund = orchestration(
  "refund",
  {
    input: z.object({
      order: z.string().max(40),
      cents: z.number().int().min(1).max(100_000).describe("What the customer gets back."),
      reason: z.enum(["damaged", "late", "other"]),
      notify: z.boolean().optional(),
      to: z.object({ name: z.string(), iban: z.string().optional() }),
      lines: z.array(z.object({ sku: z.string() })).optional(),
      note: z.string().default("none"),
    }),
  },
  async (_ctx, input) => `refunded ${JSON.stringify(input)}`,
);

export const orchestrations = [
  checkout,
  approval,
  basket,
  rounds,
  invoice,
  shipParcel,
  fulfil,
  rental,
  refund,
];
export const activities = [reserve, charge, pack, book, askBank, inspect, release];

export function orderOf(number: number, more: Partial<Order> = {}): Order {
  return {
    number,
    cents: 1_990 + number * 7,
    card: "4242 4242 4242 4242",
    customer: "Ada Lovelace",
    ...more,
  };
}

/** A store with workers and instances. */
export class Shop implements AsyncDisposable {
  readonly provider: Provider;
  readonly client: Client;
  readonly #runtime: Runtime;

  private constructor(provider: Provider, runtime: Runtime) {
    this.provider = provider;
    this.client = new Client(provider, { logger: silentLogger });
    this.#runtime = runtime;
  }

  static async open(provider: Provider): Promise<Shop> {
    const runtime = await Runtime.start({ provider, orchestrations, activities, logger: silentLogger });
    return new Shop(provider, runtime);
  }

  /** One instance of each kind; resolves when all have come as far as they can. */
  async fill(): Promise<void> {
    const { client } = this;
    const done = [];
    for (let n = 1; n <= 6; n++)
      done.push(await client.start(checkout, { instanceId: `order-${1040 + n}`, input: orderOf(n) }));
    const declined = await client.start(checkout, {
      instanceId: "order-1050",
      input: orderOf(50, { card: "declined" }),
    });
    const waiting = await client.start(approval, { instanceId: "order-2001", input: orderOf(61) });
    const fulfilled = await client.start(fulfil, {
      instanceId: "order-3007",
      input: orderOf(7, { cents: Date.now() + 1_200 }),
    });
    const rented = await client.start(rental, { instanceId: "rental-5", input: orderOf(5) });
    await client.start(basket, { instanceId: "basket-7" });
    const repeated = await client.start(rounds, { instanceId: "rounds-1", input: 1 });
    const stuck = await client.start(invoice, { instanceId: "invoice-9", input: orderOf(9) });
    await Promise.all([...done, repeated].map((handle) => handle.result()));
    await declined.result().catch(() => undefined);
    const gone = await client.start(approval, { instanceId: "order-2002", input: orderOf(62) });
    await gone.cancel("the customer changed their mind");
    await gone.result().catch(() => undefined);
    const rents = (name: string) => async (): Promise<boolean> =>
      (await client.admin.timeline(rented.instanceId)).waits.some((wait) => wait.name === name);
    await until(rents("over"));
    await rented.cancel("the card was reported stolen");
    await until(rents("returned"));
    await until(async () => (await client.admin.timeline(waiting.instanceId)).waits.length === 2);
    await until(async () =>
      (await client.admin.timeline(fulfilled.instanceId)).waits.some(({ kind }) => kind === "event"),
    );
    await until(async () => {
      const status = await stuck.status();
      return "blocked" in status && (status.blocked?.length ?? 0) > 0;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime.shutdown({ graceMs: 0 });
    await this.provider[Symbol.asyncDispose]();
  }
}

/** Polls until it holds; a test that waits in vain is ended by its own limit. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await sleep(20);
}
