/**
 * Activities that compute: each runs its computation in a worker thread, and the thread ends when the result is no
 * longer needed (docs/guide/10-workers.md).
 */
import { availableParallelism } from "node:os";
import { activity, Client, event, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { inThread } from "./in-thread.ts";

const PROGRAM = new URL("./count-primes.ts", import.meta.url);

interface Range {
  readonly from: number;
  readonly below: number;
}

const countPrimes = activity("countPrimes", (ctx, range: Range) =>
  inThread<number>(PROGRAM, range, ctx.signal),
);

const countAll = orchestration("countAll", async (ctx, below: number) => {
  const part = below / 4;
  const counts = await ctx.all(
    [0, 1, 2, 3].map((n) => ctx.scheduleActivity(countPrimes, { from: n * part, below: (n + 1) * part })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
});

const enough = event("enough");
const begun = Promise.withResolvers<void>();

const countForEver = activity("countForEver", async (ctx) => {
  begun.resolve();
  try {
    await inThread(PROGRAM, { from: 0, below: Number.MAX_SAFE_INTEGER }, ctx.signal);
  } finally {
    console.log("the endless count: its thread has ended");
  }
});

const countUntilEnough = orchestration("countUntilEnough", async (ctx) => {
  const winner = await ctx.race([ctx.scheduleActivity(countForEver), ctx.waitForEvent(enough)]);
  return winner.index === 0 ? "counted" : "given up"; // the activity lost the race: its signal aborts
});

const provider = await SqliteProvider.open(":memory:");
const runtime = await Runtime.start({
  provider,
  activities: [countPrimes, countForEver],
  orchestrations: [countAll, countUntilEnough],
  workerConcurrency: availableParallelism(), // a thread for each core; more would only share them
});
const client = new Client(provider);

const primes = await client.start(countAll, { input: 400_000 });
console.log(`primes below 400000: ${await primes.result()}`);

const endless = await client.start(countUntilEnough);
await begun.promise;
await endless.raise(enough);
console.log(`the endless count: ${await endless.result()}`);

await runtime.shutdown({ graceMs: 60_000 }); // waits until the thread has ended
await provider.close();
