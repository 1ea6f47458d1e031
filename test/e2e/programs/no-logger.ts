/** One process that makes the commonest mistakes, and gives its runtime no logger. It runs until it is killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { activity, Client, event, orchestration, queue, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [file = ""] = process.argv.slice(2);

const approved = event<string>("approved");
const orders = queue<string>("orders");

const fails = activity("fails", async () => readName({}));

function readName(customer: { readonly name?: { readonly first: string } }): string {
  return (customer.name as { readonly first: string }).first;
}

const forgotten = orchestration("forgotten", async (ctx) => ctx.scheduleActivity("not-registered"));

const careless = orchestration("careless", async (ctx) => {
  void ctx.scheduleActivity(fails);
  await ctx.scheduleTimer(1);
});

const failing = orchestration("failing", async (ctx) => ctx.scheduleActivity(fails));

const late = orchestration("late", async (ctx) => {
  await ctx.scheduleTimer({ hours: 1 });
  await ctx.waitForEvent(approved);
});

const provider = await SqliteProvider.open(file);
const client = new Client(provider);
await using _runtime = await Runtime.start({
  provider,
  activities: [fails],
  orchestrations: [forgotten, careless, failing, late],
});
await client.start(forgotten, { instanceId: "forgotten-1" });
await client.start("nobody-has-it", { instanceId: "nobody-1" });
const ended = await client.start(careless, { instanceId: "careless-1" });
await client.start(failing, { instanceId: "failing-1" });
const waiting = await client.start(late, { instanceId: "late-1" });
while ((await waiting.status()).status === "NotFound") await sleep(10);
await ended.result({ timeout: { minutes: 4 } });
await ended.enqueue(orders, "too late", { ifMissing: "keep" });
await waiting.raise(approved, "nobody waits");
await client.handle("never", "never-started").enqueue(orders, "no instance", { ifMissing: "keep" });
await sleep(600_000);
