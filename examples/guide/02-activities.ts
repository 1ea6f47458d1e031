/** docs/guide/02-activities.md */
import { deepEqual, equal, match } from "node:assert/strict";
import { ActivityFailedError, activity, NonRetryableError, orchestration } from "@duroxide-ts/core";
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
const impatientTrip = orchestration("impatientTrip", async (ctx, city: string) =>
  ctx.scheduleActivity(quote, city, {
    timeout: { seconds: 10 }, // the run of each attempt
    totalTimeout: { minutes: 1 }, // all attempts and the pauses between them
    retry: { maxAttempts: 3 },
  }),
);
// #endregion

await onStage({ activities: [neverAnswers], orchestrations: [impatientTrip] }, async (stage) => {
  const run = await stage.client.start(impatientTrip, { instanceId: "slow", input: "Oslo" });
  match(String(await stage.finish(run).catch((error: Error) => error)), /did not end within 10000 ms/);
  const events = await stage.client.admin.history("slow");
  equal(events.filter(({ type }) => type === "ActivityScheduled").length, 3);
});

const payments = { charge: async (cents: number, _key: string) => `receipt for ${cents}` };

const seenKeys: string[] = [];

// #region attempts-share-a-key
const chargeOnce = activity("chargeOnce", async (ctx, cents: number) => {
  seenKeys.push(ctx.callKey);
  if (seenKeys.length < 2) throw new Error("connection lost, nobody knows whether the charge arrived");
  return payments.charge(cents, ctx.callKey); // the key of the first attempt: charged once
});
// #endregion

const checkout = orchestration("checkout", async (ctx, cents: number) =>
  ctx.scheduleActivity(chargeOnce, cents, { retry: { maxAttempts: 3, backoff: { kind: "none" } } }),
);

await onStage({ activities: [chargeOnce], orchestrations: [checkout] }, async (stage) => {
  await stage.finish(await stage.client.start(checkout, { instanceId: "order-2", input: 990 }));
  equal(seenKeys.length, 2);
  equal(seenKeys[0], seenKeys[1]);
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
const pick = activity("pick", async (_ctx, sku: string): Promise<string> => {
  throw Object.assign(new Error(`${sku} is out of stock`), { name: "OutOfStockError", sku });
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
const quoteOrRefuse = activity("quoteOrRefuse", async (_ctx, city: string) => {
  if (city === "") throw new NonRetryableError("a quote needs a city"); // will never succeed
  return askForQuote(city);
});

const careful = orchestration("careful", async (ctx, city: string) =>
  ctx.scheduleActivity(quoteOrRefuse, city, {
    retry: {
      maxAttempts: 10,
      nonRetryable: ["ValidationError", SyntaxError], // names of errors, or classes
      when: (error, attempt) => attempt < 3 || error.message.includes("busy"),
      onRetry: ({ attempt, delayMs }) =>
        ctx.setCustomStatus(`attempt ${attempt} failed, again in ${delayMs} ms`),
    },
  }),
);
// #endregion

await onStage({ activities: [quoteOrRefuse], orchestrations: [careful] }, async (stage) => {
  const refused = await stage.client.start(careful, { instanceId: "refused", input: "" });
  match(String(await stage.finish(refused).catch((error: Error) => error.message)), /needs a city/);
  const attempts = (await stage.client.admin.history("refused")).filter(
    ({ type }) => type === "ActivityScheduled",
  );
  equal(attempts.length, 1);
  calls = 1;
  const trip = await stage.client.start(careful, { instanceId: "oslo", input: "Oslo" });
  equal(await stage.finish(trip), 400);
  match(JSON.stringify(await trip.status()), /attempt 1 failed, again in 100 ms/);
});
