/** docs/guide/18-steps.md */
import { deepEqual, equal, match } from "node:assert/strict";
import { type ActivityContext, InvalidInputError, orchestration, RetryAfterError } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

interface Order {
  readonly id: string;
  readonly cents: number;
}

const charged: string[] = [];
const bank = {
  charge: async (order: Order, options: { idempotencyKey: string; signal: AbortSignal }): Promise<string> => {
    if (!charged.includes(options.idempotencyKey)) charged.push(options.idempotencyKey);
    return `receipt of ${order.id}`;
  },
};
const warehouse = { ship: async (receipt: string): Promise<string> => `label for the ${receipt}` };

// #region steps
const checkout = orchestration("checkout", async (ctx, order: Order) => {
  const receipt = await ctx.run(
    "charge",
    (step) => bank.charge(order, { idempotencyKey: step.callKey, signal: step.signal }),
    { retry: { maxAttempts: 5 } },
  );
  await ctx.scheduleTimer({ days: 1 });
  return ctx.run("ship", () => warehouse.ship(receipt));
});
// #endregion

await onStage({ orchestrations: [checkout] }, async (stage) => {
  const order = await stage.client.start(checkout, { instanceId: "order-1", input: { id: "1", cents: 990 } });
  equal(await stage.finish(order), "label for the receipt of 1");
  equal(charged.length, 1);
});

const quote = async (carrier: string): Promise<number> => carrier.length;

// #region together
const cheapest = orchestration("cheapest", async (ctx, carriers: string[]) => {
  const prices = await ctx.all(carriers.map((carrier) => ctx.run(`ask ${carrier}`, () => quote(carrier))));
  return carriers[prices.indexOf(Math.min(...prices))];
});
// #endregion

await onStage({ orchestrations: [cheapest] }, async (stage) => {
  const run = await stage.client.start(cheapest, { instanceId: "c", input: ["post", "van", "bicycle"] });
  equal(await stage.finish(run), "van");
});

const load = async (page: number): Promise<number> => page * 10;

// #region captured
const sum = orchestration("sum", async (ctx, pages: number) => {
  let total = 0;
  for (let page = 1; page <= pages; page++) {
    total += await ctx.run("load", () => load(page)); // not `total += …` within the step
  }
  return total;
});
// #endregion

await onStage({ orchestrations: [sum] }, async (stage) => {
  const run = await stage.client.start(sum, { instanceId: "s", input: 3 });
  equal(await stage.finish(run), 60);
});

let deaths = 1;
const work = (step: ActivityContext): string | Promise<never> =>
  deaths-- > 0 ? new Promise<never>(() => {}) : `delivery ${step.attempt}`;

// #region takeover
const survivor = orchestration("survivor", async (ctx, name: string) => {
  const greeting = await ctx.run("greet", () => `hello ${name}`);
  return ctx.run("work", async (step) => `${greeting}, ${await work(step)}`);
});
// #endregion

await onStage({ orchestrations: [survivor] }, async (stage) => {
  const run = await stage.client.start(survivor, { instanceId: "s", input: "Ada" });
  await stage.settle();
  await stage.restart({ orchestrations: [survivor] });
  equal(await stage.finish(run), "hello Ada, delivery 2");
});

// #region refusals
const refused = orchestration("refused", async (ctx) =>
  ctx.run("outer", () => {
    try {
      ctx.setCustomStatus("working"); // before or after the step
    } catch (error) {
      if (InvalidInputError.is(error)) return error.message;
      throw error;
    }
    return "never";
  }),
);
// #endregion

await onStage({ orchestrations: [refused] }, async (stage) => {
  const run = await stage.client.start(refused, { instanceId: "r" });
  match(
    await stage.finish(run),
    /^ctx\.setCustomStatus inside the step "outer": a step makes no durable calls/,
  );
  deepEqual(
    (await stage.client.admin.history("r")).filter(({ type }) => type === "CustomStatusUpdated"),
    [],
  );
});

let requests = 0;
const request = async (city: string) =>
  ++requests < 2
    ? { status: 429, retryAfter: 30, cents: 0 }
    : { status: 200, retryAfter: 0, cents: city.length };

// #region retry-after
const polite = orchestration("polite", async (ctx, city: string) =>
  ctx.run(
    "ask",
    async () => {
      const answer = await request(city);
      if (answer.status === 429)
        throw new RetryAfterError({ seconds: answer.retryAfter }, "too many requests");
      return answer.cents;
    },
    { retry: { maxAttempts: 5 } },
  ),
);
// #endregion

await onStage({ orchestrations: [polite] }, async (stage) => {
  const startMs = stage.clock.now();
  equal(await stage.finish(await stage.client.start(polite, { input: "Oslo" })), 4);
  equal(stage.clock.now() - startMs >= 30_000, true);
});
