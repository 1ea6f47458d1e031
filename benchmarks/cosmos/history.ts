/** Whether a turn costs more when there is more history behind it. */
import type { RequestInfo } from "@duroxide-ts/cosmos";
import { turnCost } from "./turn-cost.ts";
import { withContainer } from "./with-container.ts";

const EVENTS = [10, 100, 1_000];

export async function measureHistory(): Promise<readonly object[]> {
  const log: RequestInfo[] = [];
  return withContainer({ onRequest: (info) => log.push(info) }, async (provider) => {
    const results: object[] = [];
    for (const events of EVENTS) {
      const cost = await turnCost(provider, log, events / 2);
      results.push({ system: "duroxide-ts/cosmos", workload: "history", events, ...cost });
    }
    return results;
  });
}
