/**
 * Measures what membership costs: requests and request units a second of fleets of 1 to 32, on the local endpoint and
 * by its charges. Time is virtual, the endpoint's too; each process has a connection of its own.
 */
import type { FetchOrchestrationOptions, FetchWorkOptions } from "@duroxide-ts/core/stores";
import { CosmosProvider, type RequestInfo } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { round } from "../figures.ts";
import { VirtualTime } from "./virtual-time.ts";

const FLEETS: readonly number[] = [1, 2, 4, 8, 32];

const JOIN_MS = 60_000;
const MEASURE_MS = 300_000;
/** Often enough that a process counts as one that asks. */
const ASK_EVERY_MS = 5_000;

const TURNS: FetchOrchestrationOptions = { lockTimeoutMs: 30_000, pollTimeoutMs: 1 };
const WORK: FetchWorkOptions = { lockTimeoutMs: 30_000, pollTimeoutMs: 1, tagFilter: { kind: "any" } };

export async function measureLeases(): Promise<readonly object[]> {
  const measurements: object[] = [];
  for (const processes of FLEETS) measurements.push(await measureFleet(processes));
  return measurements;
}

async function measureFleet(processes: number): Promise<object> {
  const time = new VirtualTime();
  // With one physical partition there are no members.
  await using emulator = await CosmosEmulator.start({
    port: 0,
    physicalPartitions: 2,
    now: () => time.clock.now(),
  });
  const logs = Array.from({ length: processes }, (): RequestInfo[] => []);
  const providers: CosmosProvider[] = [];
  for (const log of logs) providers.push(await connect(emulator, time, log));

  const run = async (durationMs: number): Promise<void> => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += ASK_EVERY_MS) {
      const asking = providers.flatMap((each) => [
        each.fetchOrchestrationItem(TURNS),
        each.fetchWorkItem(WORK),
      ]);
      await time.advance(ASK_EVERY_MS);
      await Promise.all(asking);
    }
  };
  await run(JOIN_MS);
  const joining = logs.map((log) => costOf(log.splice(0), JOIN_MS));
  await run(MEASURE_MS);
  const steady = logs.map((log) => costOf(log, MEASURE_MS));
  for (const provider of providers) await provider.close();

  const fleetCharge = steady.reduce((sum, { charge }) => sum + charge, 0);
  return {
    system: "duroxide-ts/cosmos",
    workload: "leases",
    processes,
    // Of one process, once all have joined.
    requests_per_second: round(steady.reduce((sum, { requests }) => sum + requests, 0) / processes),
    charge_per_second: round(fleetCharge / processes),
    // Of the busiest process while all join at once, on average over a minute.
    joining_requests_per_second: round(Math.max(...joining.map(({ requests }) => requests))),
    joining_charge_per_second: round(Math.max(...joining.map(({ charge }) => charge))),
    fleet_charge_per_second: round(fleetCharge),
  };
}

function connect(
  { connectionString }: CosmosEmulator,
  time: VirtualTime,
  log: RequestInfo[],
): Promise<CosmosProvider> {
  const onRequest = (info: RequestInfo): void => {
    if (info.operation === "renewMembership") log.push(info);
  };
  const { clock } = time;
  const options = { connectionString, clock, onRequest, membership: {}, reconcilerIntervalMs: 3_600_000 };
  return CosmosProvider.connectThrough(options, (request, next) => time.request(next(request)));
}

/** A second. */
function costOf(
  log: readonly RequestInfo[],
  durationMs: number,
): { readonly requests: number; readonly charge: number } {
  const seconds = durationMs / 1_000;
  return {
    requests: log.length / seconds,
    charge: log.reduce((sum, { charge }) => sum + charge, 0) / seconds,
  };
}
