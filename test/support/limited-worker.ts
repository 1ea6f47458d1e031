/**
 * A worker process for the test of limits: each handler writes when it begins and when it ends into one file, by the clock
 * of the machine. Arguments: the store (sqlite:PATH, or cosmos:DATABASE/CONTAINER on the account that the environment
 * names), the log, the name of the process, ms of each call, ms of a lock, its slots.
 */
import { appendFileSync } from "node:fs";
import { argv } from "node:process";
import { setTimeout } from "node:timers/promises";
import { activity, orchestration, type Provider, Runtime, silentLogger } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [, , store = "", log = "", name = "", callMs = "", lockMs = "", slots = ""] = argv;

let runs = 0;

const work = activity("work", async (ctx, key: string) => {
  const run = `${name}-${runs++}`;
  appendFileSync(log, `${JSON.stringify({ atMs: Date.now(), what: "begin", run, key, process: name })}\n`);
  await setTimeout(Number(callMs), undefined, { signal: ctx.signal }).catch(() => {});
  appendFileSync(log, `${JSON.stringify({ atMs: Date.now(), what: "end", run, key, process: name })}\n`);
});

const spread = orchestration("spread", async (ctx, { key, calls }: { key: string; calls: number }) => {
  await ctx.all(Array.from({ length: calls }, () => ctx.scheduleActivity(work, key, { limit: key })));
  return calls;
});

await Runtime.start({
  provider: await open(store),
  orchestrations: [spread],
  activities: [work],
  workerLockTimeoutMs: Number(lockMs),
  workerConcurrency: Number(slots),
  maxAttempts: 1_000,
  logger: silentLogger,
});
process.stdout.write("ready\n");

function open(name: string): Promise<Provider> {
  const place = name.slice(name.indexOf(":") + 1);
  if (name.startsWith("sqlite:")) return SqliteProvider.open(place);
  const [database = "", container = ""] = place.split("/");
  return CosmosProvider.fromEnvironment(process.env, { database, container });
}
