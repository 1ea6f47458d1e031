/** A process that writes numbers to streams of a file, until it is killed: its argument. */
import { activity, orchestration, Runtime, silentLogger, stream } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [, , file = ""] = process.argv;
const numbers = stream<number>("numbers", { maxItems: 10_000_000, maxBytes: 2 ** 30 });

interface Part {
  readonly from: number;
  readonly end: number;
}

const write = activity("write", async (ctx, { from, end }: Part) => {
  for (let n = from; n < end; n++) await ctx.stream(numbers).write(n);
});

const counts = orchestration("counts", async (ctx, { from, end }: Part): Promise<unknown> => {
  const to = Math.min(end, from + 10_000);
  ctx.stream(numbers).write(from);
  await ctx.scheduleActivity(write, { from: from + 1, end: to });
  return to === end ? to : ctx.continueAsNew(counts, { from: to, end });
});

await Runtime.start({
  provider: await SqliteProvider.open(file),
  orchestrations: [counts],
  activities: [write],
  logger: silentLogger,
});
