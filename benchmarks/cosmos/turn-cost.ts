/** Measures one turn of a running orchestration: requests, request units, documents that its queries returned. */
import { Client, event, type OrchestrationDefinition, orchestration, Runtime } from "@duroxide-ts/core";
import type { CosmosProvider, RequestInfo } from "@duroxide-ts/cosmos";
import { round } from "../figures.ts";
import { isIdle } from "./tally.ts";

export interface TurnCost {
  readonly requests: number;
  readonly charge: number;
  readonly documents: number;
}

/** Turns that are measured. */
const TURNS = 20;

const goOn = event<null>("go on");

/** Takes so many timers, waits, and then takes those that are measured. */
const timers: OrchestrationDefinition<number, number> = orchestration(
  "timers",
  async (ctx, before: number) => {
    for (let n = 0; n < before; n++) await ctx.scheduleTimer(1);
    await ctx.waitForEvent(goOn);
    for (let n = 0; n < TURNS; n++) await ctx.scheduleTimer(1);
    return before;
  },
);

/** Measures the turns of an orchestration that has taken this number of timers, two events each. */
export async function turnCost(
  provider: CosmosProvider,
  log: RequestInfo[],
  timersBefore: number,
): Promise<TurnCost> {
  await using _runtime = await Runtime.start({ provider, orchestrations: [timers] });
  const instance = await new Client(provider).start(timers, {
    instanceId: `timers-${timersBefore}-${log.length}`,
    input: timersBefore,
  });
  for (;;) {
    const stats = await provider.getInstanceStats(instance.instanceId);
    if ((stats?.historyEventCount ?? 0) >= 2 * timersBefore + 2) break;
  }
  log.length = 0;
  await instance.raise(goOn, null);
  await instance.result({ timeout: { minutes: 1 } });
  return costOf(log);
}

/** The mean of the measured turns, without the client's reads and queries that found nothing. */
function costOf(log: readonly RequestInfo[]): TurnCost {
  const counted = log.filter((info) => !isIdle(info));
  return {
    requests: round(counted.length / TURNS),
    charge: round(counted.reduce((sum, { charge }) => sum + charge, 0) / TURNS),
    documents: round(counted.reduce((sum, { results = 0 }) => sum + results, 0) / TURNS),
  };
}
