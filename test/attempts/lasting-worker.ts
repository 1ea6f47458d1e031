/**
 * A process with locks that outlast every test, until its parent ends it. Arguments: the store, and a file with a line
 * for each call: `instance attempt process`. A call of `holds` ends when a file with the name of its instance is there.
 */
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { activity, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { openAddress, type StoreAddress } from "./stores.ts";

const [address = "", calls = ""] = process.argv.slice(2);
const LONG_MS = 3_000_000;

const holds = activity("holds", async ({ instanceId, attempt }) => {
  appendFileSync(calls, `${instanceId} ${attempt} ${process.pid}\n`);
  while (!existsSync(`${calls}.${instanceId}`)) await sleep(20);
  return attempt;
});

const call = orchestration("call", async (ctx, options: object) =>
  ctx.scheduleActivity(holds, undefined, options),
);

/** Its first turn stands still, with its lock. */
const stands = orchestration("stands", async (ctx) => {
  if (ctx.isReplaying) return "replayed";
  appendFileSync(calls, `${ctx.instanceId} 1 ${process.pid}\n`);
  while (!existsSync(`${calls}.${ctx.instanceId}`))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  return "went on";
});

await Runtime.start({
  provider: await openAddress(JSON.parse(address) as StoreAddress),
  orchestrations: [call, stands],
  activities: [holds],
  orchestratorLockTimeoutMs: LONG_MS,
  workerLockTimeoutMs: LONG_MS,
  sessionLockTimeoutMs: LONG_MS,
  sessionIdleTimeoutMs: 2 * LONG_MS,
  logger: silentLogger,
});
