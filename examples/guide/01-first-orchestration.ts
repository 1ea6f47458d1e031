/** docs/guide/01-first-orchestration.md */
import { deepEqual, equal } from "node:assert/strict";

// #region program
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const reserve = activity("reserve", async (_ctx, item: string) => `reservation for ${item}`);
const confirm = activity("confirm", async (_ctx, reservation: string) => `${reservation}, confirmed`);

const book = orchestration("book", async (ctx, item: string) => {
  const reservation = await ctx.scheduleActivity(reserve, item);
  return ctx.scheduleActivity(confirm, reservation);
});

const provider = await SqliteProvider.open(":memory:"); // or the path of a file, such as "bookings.db"
const runtime = await Runtime.start({ provider, activities: [reserve, confirm], orchestrations: [book] });

const booking = await new Client(provider).start(book, { instanceId: "booking-7", input: "room 12" });
console.log(await booking.result()); // "reservation for room 12, confirmed"

await runtime.shutdown();
await provider.close();
// #endregion

equal(typeof book.name, "string");

const store = await SqliteProvider.open(":memory:");
const client = new Client(store);
const ran: string[] = [];

// #region resume
const prepare = activity("prepare", async (_ctx, job: string) => {
  ran.push(`prepared ${job}`);
  return `${job} is ready`;
});

const approve = orchestration("approve", async (ctx, job: string) => {
  const ready = await ctx.scheduleActivity(prepare, job);
  ctx.setCustomStatus("waiting for approval");
  await ctx.waitForEvent("approved");
  return ready;
});

const first = await Runtime.start({ provider: store, activities: [prepare], orchestrations: [approve] });
const job = await client.start(approve, { instanceId: "job-1", input: "the report" });
for await (const status of job.customStatus()) {
  if (status === "waiting for approval") break;
}
await first.shutdown(); // or a crash: what was committed is the same

const second = await Runtime.start({ provider: store, activities: [prepare], orchestrations: [approve] });
await job.raise("approved");
const ready = await job.result(); // "the report is ready", and `prepare` ran once
// #endregion

equal(ready, "the report is ready");
deepEqual(ran, ["prepared the report"]);

// #region same-id
const again = await client.start(approve, { instanceId: "job-1", input: "another report" });
const same = await again.result(); // still "the report is ready"
// #endregion

equal(same, "the report is ready");
deepEqual(ran, ["prepared the report"]);
await second.shutdown();
await store[Symbol.asyncDispose]();
