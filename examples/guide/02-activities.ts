/** docs/guide/02-activities.md */
import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { ActivityFailedError, activity, DuroxideError, orchestration } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

let calls = 0;
async function askForQuote(city: string): Promise<number> {
  calls++;
  if (calls < 3) throw new Error("the quote service is busy");
  return city.length * 100;
}

// #region retry
const quote = activity("quote", async (ctx, city: string): Promise<number> => {
  ctx.log.info({ city }, "asking for a quote");
  return askForQuote(city);
});

const trip = orchestration("trip", async (ctx, city: string) => {
  const cents = await ctx.scheduleActivity(quote, city, {
    retry: { maxAttempts: 5, backoff: { kind: "exponential", base: { seconds: 1 }, max: { minutes: 1 } } },
  });
  return `${city}: ${cents}`;
});
// #endregion

await onStage({ activities: [quote], orchestrations: [trip] }, async (stage) => {
  const startMs = stage.clock.now();
  equal(await stage.finish(await stage.client.start(trip, { input: "Oslo" })), "Oslo: 400");
  equal(calls, 3);
  equal(stage.clock.now() - startMs >= 3_000, true);
});

const neverAnswers = quote.mock(() => new Promise<number>(() => {}));

// #region timeout
const impatientTrip = orchestration("impatientTrip", async (ctx, city: string) => {
  try {
    return await ctx.scheduleActivity(quote, city, { retry: { maxAttempts: 3, timeout: { seconds: 10 } } });
  } catch (error) {
    if (DuroxideError.is(error, "timeout")) return "no answer within ten seconds";
    throw error;
  }
});
// #endregion

await onStage({ activities: [neverAnswers], orchestrations: [impatientTrip] }, async (stage) => {
  const run = await stage.client.start(impatientTrip, { instanceId: "slow", input: "Oslo" });
  equal(await stage.finish(run), "no answer within ten seconds");
  const events = await stage.client.admin.history("slow");
  equal(events.filter(({ type }) => type === "ActivityScheduled").length, 1);
});

const keys: string[] = [];
const payments = {
  charge: async (cents: number, key: string): Promise<string> => {
    keys.push(key);
    return `receipt for ${cents}`;
  },
};

// #region idempotency
const charge = activity("charge", async (ctx, cents: number) => payments.charge(cents, ctx.idempotencyKey));
// #endregion

const chargeTwice = orchestration("chargeTwice", async (ctx) => {
  await ctx.scheduleActivity(charge, 1);
  return ctx.scheduleActivity(charge, 2);
});

await onStage({ activities: [charge], orchestrations: [chargeTwice] }, async (stage) => {
  equal(
    await stage.finish(await stage.client.start(chargeTwice, { instanceId: "order-1" })),
    "receipt for 2",
  );
  equal(new Set(keys).size, 2);
});

const seenKeys: string[] = [];
const seenActivityKeys: string[] = [];

// #region key-of-your-own
const chargeOnce = activity("chargeOnce", async (ctx, order: { cents: number; key: string }) => {
  seenActivityKeys.push(ctx.idempotencyKey); // differs: each attempt of a retry is an activity of its own
  seenKeys.push(order.key); // the same in each attempt
  if (seenKeys.length < 2) throw new Error("connection lost, nobody knows whether the charge arrived");
  return payments.charge(order.cents, order.key);
});

const checkout = orchestration("checkout", async (ctx, cents: number) =>
  ctx.scheduleActivity(
    chargeOnce,
    { cents, key: `${ctx.instanceId}/charge` },
    { retry: { maxAttempts: 3, backoff: { kind: "none" } } },
  ),
);
// #endregion

await onStage({ activities: [chargeOnce], orchestrations: [checkout] }, async (stage) => {
  await stage.finish(await stage.client.start(checkout, { instanceId: "order-2", input: 990 }));
  deepEqual(seenKeys, ["order-2/charge", "order-2/charge"]);
  notEqual(seenActivityKeys[0], seenActivityKeys[1]);
});

const rendered: number[] = [];
async function renderFrame(frame: number, signal: AbortSignal): Promise<void> {
  rendered.push(frame);
  if (frame < 2) return;
  await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

// #region signal
const render = activity("render", async (ctx, frames: number) => {
  for (let frame = 0; frame < frames; frame++) {
    ctx.signal.throwIfAborted();
    await renderFrame(frame, ctx.signal); // a `fetch` or a child process takes the signal, too
  }
  return frames;
});

const renderOrGiveUp = orchestration("renderOrGiveUp", async (ctx, frames: number) => {
  const winner = await ctx.race([ctx.scheduleActivity(render, frames), ctx.scheduleTimer({ minutes: 5 })]);
  return winner.index === 0 ? "rendered" : "took too long";
});
// #endregion

await onStage({ activities: [render], orchestrations: [renderOrGiveUp] }, async (stage) => {
  equal(await stage.finish(await stage.client.start(renderOrGiveUp, { input: 100 })), "took too long");
  await stage.settle();
  deepEqual(rendered, [0, 1, 2]);
});

// #region errors
class OutOfStockError extends Error {
  override readonly name = "OutOfStockError";
  readonly sku: string;

  constructor(sku: string) {
    super(`${sku} is out of stock`);
    this.sku = sku;
  }
}

const pick = activity("pick", async (_ctx, sku: string): Promise<string> => {
  throw new OutOfStockError(sku);
});

const fulfil = orchestration("fulfil", async (ctx, sku: string) => {
  try {
    return await ctx.scheduleActivity(pick, sku);
  } catch (error) {
    if (!ActivityFailedError.is(error, "activity-failed")) throw error;
    const cause = error.cause as { readonly name?: string; readonly sku?: string } | undefined;
    if (cause?.name !== "OutOfStockError") throw error;
    return `reordered ${cause.sku}: ${error.message}`;
  }
});
// #endregion

await onStage({ activities: [pick], orchestrations: [fulfil] }, async (stage) => {
  equal(
    await stage.finish(await stage.client.start(fulfil, { input: "A-7" })),
    "reordered A-7: A-7 is out of stock",
  );
});

// #region give-up
const quoteOnce = activity("quoteOnce", async (_ctx, city: string) => {
  if (city === "") return { refused: "a quote needs a city" }; // will never succeed: a result, not an error
  return { cents: await askForQuote(city) };
});
// #endregion

const asks = orchestration("asks", async (ctx, city: string) =>
  ctx.scheduleActivity(quoteOnce, city, { retry: { maxAttempts: 5 } }),
);

await onStage({ activities: [quoteOnce], orchestrations: [asks] }, async (stage) => {
  const result = await stage.finish(await stage.client.start(asks, { input: "" }));
  match(JSON.stringify(result), /refused/);
});
