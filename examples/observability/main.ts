/**
 * An orchestration with a child and an activity that fails once, watched from outside: its log, its spans and its
 * metrics, on the console.
 */
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { pino } from "pino";
import { printMetrics, printSpans } from "./report.ts";
import { meter, metrics, spans, tracer } from "./telemetry.ts";

let attempts = 0;
const charge = activity("charge", async (ctx, cents: number) => {
  ctx.log.info({ cents }, "charging");
  if (attempts++ === 0) throw new Error("the bank did not answer");
  return tracer.startActiveSpan("POST /charges", (span) => {
    span.end();
    return `receipt-${cents}`;
  });
});
const pack = activity("pack", async (_ctx, receipt: string) => `parcel for ${receipt}`);

const shipping = orchestration("shipping", async (ctx, receipt: string) =>
  ctx.scheduleActivity(pack, receipt),
);
const checkout = orchestration("checkout", async (ctx, cents: number) => {
  const receipt = await ctx.scheduleActivity(charge, cents, {
    retry: { maxAttempts: 3, backoff: { kind: "fixed", delay: 200 } },
  });
  return ctx.scheduleSubOrchestration(shipping, receipt);
});

console.log("Log:");
const logger = pino(
  { level: "info", base: null },
  { write: (line: string) => console.log(`  ${line.trim()}`) },
);
const provider = await SqliteProvider.open(":memory:");
const runtime = await Runtime.start({
  provider,
  activities: [charge, pack],
  orchestrations: [checkout, shipping],
  logger,
  meter,
  tracer,
});
const client = new Client(provider, { tracer });
const order = await client.start(checkout, { instanceId: "order-42", input: 4_200 });
await order.result({ timeout: 10_000 });

console.log("\nSpans:");
printSpans(spans.getFinishedSpans());
console.log("\nMetrics:");
await printMetrics(metrics);

await runtime.shutdown();
await provider.close();
