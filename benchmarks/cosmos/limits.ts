/**
 * Limits on Cosmos DB: how much of a limit two processes use, and what its permits cost in requests beyond those of the
 * activities.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import type { CosmosProvider, RequestInfo } from "@duroxide-ts/cosmos";
import { round } from "../figures.ts";
import { withContainer } from "./with-container.ts";

const CALLS = 200;
const CALL_MS = 500;
const CONCURRENCY = 10;
const RATE = 50;

const call = activity("call", async (_ctx, ms: number) => sleep(ms));

const calls = orchestration("calls", async (ctx, ms: number) => {
  await ctx.all(
    Array.from({ length: CALLS }, () => ctx.scheduleActivity(call, ms, { limit: "partner/acme" })),
  );
});

export async function measureLimits(): Promise<readonly object[]> {
  return [
    await measure(
      `${CALLS} calls of ${CALL_MS} ms, ${CONCURRENCY} at a time`,
      CALL_MS,
      CONCURRENCY / CALL_MS,
      {
        concurrency: CONCURRENCY,
      },
    ),
    await measure(`${CALLS} calls, ${RATE} a second`, 1, RATE / 1_000, {
      rate: { max: RATE, per: { seconds: 1 } },
    }),
  ];
}

/** `perMs`: how many the limit lets begin in a ms. */
async function measure(
  workload: string,
  callMs: number,
  perMs: number,
  rule: Parameters<Client["limits"]["set"]>[1],
): Promise<object> {
  const log: RequestInfo[] = [];
  return withContainer({ onRequest: (info) => log.push(info) }, async (provider, openAnother) => {
    const runtimes = [await runtimeOn(provider), await runtimeOn(await openAnother())];
    const client = new Client(provider, { logger: silentLogger });
    await client.limits.set("partner/*", rule);
    const startedMs = performance.now();
    const handle = await client.start(calls, { input: callMs });
    await handle.result({ timeout: { minutes: 5 } });
    const tookMs = performance.now() - startedMs;
    for (const runtime of runtimes) await runtime.shutdown();
    const ofLimits = log.filter(({ operation }) => operation === "limits");
    return {
      system: "duroxide-ts/cosmos",
      workload,
      seconds: round(tookMs / 1_000),
      use_of_limit: round(CALLS / perMs / tookMs),
      requests_of_limits_per_20: round((20 * ofLimits.length) / CALLS),
      requests_per_call: round(log.length / CALLS),
    };
  });
}

function runtimeOn(provider: CosmosProvider): Promise<Runtime> {
  const options = {
    orchestrations: [calls],
    activities: [call],
    workerConcurrency: 20,
    logger: silentLogger,
  };
  return Runtime.start({ provider, ...options });
}
