/** Whether a turn costs more when many other instances wait in the queue. */
import type { CosmosProvider, RequestInfo } from "@duroxide-ts/cosmos";
import { turnCost } from "./turn-cost.ts";
import { withContainer } from "./with-container.ts";

const WAITING = 10_000;
const AT_ONCE = 50;
const AN_HOUR_MS = 3_600_000;

export async function measureBacklog(): Promise<readonly object[]> {
  const log: RequestInfo[] = [];
  return withContainer({ onRequest: (info) => log.push(info) }, async (provider, openAnother) => {
    const system = "duroxide-ts/cosmos";
    const alone = await turnCost(provider, log, 5);
    // Another process writes them, so that this one knows nothing of them.
    const writer = await openAnother({ onRequest: () => {} });
    await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => fill(writer, lane)));
    const among = await turnCost(provider, log, 5);
    return [
      { system, workload: "backlog", waiting: 0, ...alone },
      { system, workload: "backlog", waiting: WAITING, ...among },
    ];
  });
}

async function fill(provider: CosmosProvider, lane: number): Promise<void> {
  for (let n = lane; n < WAITING; n += AT_ONCE) {
    const instance = `waiting-${n}`;
    const item = { kind: "ExternalRaised", instance, name: "later", data: "{}" } as const;
    await provider.enqueueForOrchestrator(item, AN_HOUR_MS);
  }
}
