/**
 * Measures a `ctx.map` over many items on one instance: processor time, memory and events, on SQLite in memory. They grow
 * with the items, and not faster.
 *
 *     node --conditions=@duroxide-ts/source benchmarks/map.ts 10000 50
 */
import { Client, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [items = 10_000, concurrency = 50] = process.argv.slice(2).map(Number);

const program = orchestration("map", async (ctx, count: number) => {
  const list = Array.from({ length: count }, (_, n) => n);
  const results = await ctx.map(list, (branch, item) => branch.run("step", () => item + 1), { concurrency });
  return results.length;
});

await using provider = await SqliteProvider.open(":memory:");
await using _runtime = await Runtime.start({ provider, orchestrations: [program], reportWorker: false });
const client = new Client(provider);
const before = process.cpuUsage();
const handle = await client.start(program, { instanceId: "i", input: items });
await handle.result();
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  `${JSON.stringify({
    items,
    concurrency,
    processor_ms: Math.round((user + system) / 1_000),
    rss_mb: Math.round(process.memoryUsage().rss / 2 ** 20),
    events: (await client.admin.history("i")).length,
  })}\n`,
);
