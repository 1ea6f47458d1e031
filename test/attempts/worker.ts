/** A process that serves a store with handlers which harm their process, until its parent ends it. */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type ActivityContext, activity, orchestration, Runtime } from "@duroxide-ts/core";
import { openAddress, type StoreAddress } from "./stores.ts";

const [address = "", runs = ""] = process.argv.slice(2);

/** One line for each run, which a death of the process cannot take back. */
function note({ instanceId, attempt }: ActivityContext): void {
  appendFileSync(runs, `${instanceId} ${process.pid} ${attempt}\n`);
}

/** Nothing else runs in this thread meanwhile, as in a computation; the processor stays free for other tests. */
function holdThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const exits = activity("exits", async (ctx) => {
  note(ctx);
  await sleep(100);
  process.exit(3);
});
const waits = activity("waits", async (ctx, ms: number) => {
  note(ctx);
  await sleep(ms);
  return "waited";
});
const computes = activity("computes", async (ctx, ms: number) => {
  note(ctx);
  holdThread(ms);
  return "computed";
});
const call = orchestration("call", async (ctx, [name, input]: [string, unknown]) =>
  ctx.scheduleActivity(name, input),
);

const provider = await openAddress(JSON.parse(address) as StoreAddress);
await Runtime.start({
  provider,
  orchestrations: [call],
  activities: [exits, waits, computes],
  workerLockTimeoutMs: 1_500,
  maxAttempts: 2,
});
