/** A store with schedules that have run, limits for which work waits, and an answer that streams: pictures show them. */
import {
  activity,
  Client,
  orchestration,
  type Provider,
  Runtime,
  schedule,
  silentLogger,
} from "@duroxide-ts/core";
import { until } from "./shop.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAYS = 14;
/** One night in so many fails. */
const BAD = 5;

const cleanUp = orchestration("cleanUp", async (ctx) => {
  const day = Math.floor((ctx.scheduled?.dueMs ?? 0) / DAY_MS);
  if (day % BAD === 0) throw new Error("the disk is full");
});

const schedules = [
  schedule("archive", { cron: "0 3 * * *", timezone: "Europe/Berlin", orchestration: cleanUp }),
  schedule("heartbeat", { every: { minutes: 5 }, orchestration: cleanUp, overlap: "cancel" }),
  schedule("invoices", { cron: "0 8 1 * *", orchestration: cleanUp, jitter: { minutes: 10 } }),
];

const limits = {
  "openai/*": { concurrency: 3 },
  openai: { concurrency: 5 },
  partner: { concurrency: 4, rate: { max: 10, per: { seconds: 1 } } },
};

/** Calls that wait for each key. */
const CALLS = { "openai/acme": 9, "openai/globex": 4, partner: 6 };

const WORDS = ["I looked at ", "order 1042. ", "It left our house ", "on Monday, ", "and the carrier "];

export async function openPlan(provider: Provider): Promise<AsyncDisposable> {
  const gate = Promise.withResolvers<void>();
  const ask = activity("ask", () => gate.promise);
  const batch = orchestration("batch", async (ctx, { limit, calls }: { limit: string; calls: number }) => {
    await ctx.all(Array.from({ length: calls }, () => ctx.scheduleActivity(ask, undefined, { limit })));
  });
  const answer = activity("answer", async (ctx) => {
    const tokens = ctx.stream("answer");
    for (const [at, word] of WORDS.entries()) {
      await tokens.write(word);
      ctx.progress({ done: at + 1, of: 8, message: "reading the letters of the carrier" });
    }
    await tokens.flush();
    await gate.promise;
  });
  const chat = orchestration("chat", async (ctx) => ctx.scheduleActivity(answer));
  const orchestrations = [cleanUp, batch, chat];
  const options = { provider, orchestrations, activities: [ask, answer], logger: silentLogger };
  const runtime = await Runtime.start({ ...options, schedules, limits, workerConcurrency: 20 });
  const client = new Client(provider);
  const to = new Date();
  await client.schedules.backfill("archive", { from: new Date(to.getTime() - DAYS * DAY_MS), to });
  await client.schedules.backfill("heartbeat", { from: new Date(to.getTime() - HOUR_MS), to });
  await client.schedules.pause("invoices", { by: "ada", reason: "the tax office is closed" });
  await client.limits.set("partner", limits.partner, { by: "grace", reason: "the partner is slow today" });
  const chatting = await client.start(chat, { instanceId: "chat-7" });
  for (const [limit, calls] of Object.entries(CALLS)) await client.start(batch, { input: { limit, calls } });
  await until(async () => {
    const { running, waiting } = await client.limits.get("openai");
    const { instances } = await client.schedules.runs("archive", { limit: DAYS });
    const [stream] = await chatting.streams();
    const isFull = running === limits.openai.concurrency && waiting > 0 && instances.length === DAYS;
    return isFull && stream?.next === WORDS.length && (await chatting.progress()).length > 0;
  });
  return {
    async [Symbol.asyncDispose]() {
      gate.resolve();
      await runtime.shutdown();
    },
  };
}
