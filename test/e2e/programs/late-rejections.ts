/**
 * One process that runs orchestrations whose promises are rejected before, or without, being awaited; what it shall
 * do besides is in its arguments. Prints what happened as lines of text.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { activity, Client, type OrchestrationContext, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [file = "", liveExecutions = "1000", mode = "quiet"] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const reserve = activity("reserve", async () => sleep(30));
const charge = activity("charge", async () => {
  throw new Error("card declined");
});

async function bookRoom(ctx: OrchestrationContext): Promise<void> {
  await ctx.scheduleActivity(reserve);
  await ctx.scheduleTimer(50);
}

async function pay(ctx: OrchestrationContext): Promise<unknown> {
  return await ctx.scheduleActivity(charge);
}

const order = orchestration("order", async (ctx) => {
  const room = bookRoom(ctx);
  const paid = pay(ctx);
  try {
    await room;
    await paid;
    return "paid";
  } catch (error) {
    return `compensated: ${(error as Error).message}`;
  }
});

/** No code awaits its helper. */
const careless = orchestration("careless", async (ctx) => {
  void pay(ctx);
  await bookRoom(ctx);
  return "done";
});

const bystander = orchestration("bystander", async (ctx) => {
  for (let step = 0; step < 5; step++) await ctx.scheduleTimer(10);
  return "unharmed";
});

if (mode === "listening") {
  process.on("unhandledRejection", (reason) => say(`listener: ${(reason as Error).message}`));
  process.on("rejectionHandled", () => say("listener: handled"));
}

const logger = {
  debug: () => {},
  info: () => {},
  error: (_: object, message: string) => say(`error: ${message}`),
  warn: (fields: object, message: string) =>
    say(`warn: ${"instance_id" in fields ? fields.instance_id : ""}: ${message}`),
};

const provider = await SqliteProvider.open(file);
const runtime = await Runtime.start({
  provider,
  logger,
  liveExecutions: Number(liveExecutions),
  activities: [reserve, charge],
  orchestrations: [order, careless, bystander],
});
const client = new Client(provider);
const handles = await Promise.all(
  [order, careless, bystander].map((each) => client.start(each, { instanceId: each.name })),
);
for (const handle of handles)
  say(`${handle.instanceId}: ${await handle.result({ timeout: { minutes: 4 } })}`);

if (mode !== "quiet") {
  void Promise.reject(new Error("foreign"));
  await sleep(20);
  say("alive after the foreign rejection");
}
await runtime.shutdown();
await provider[Symbol.asyncDispose]();
