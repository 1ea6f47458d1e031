/** A fleet on several physical partitions, whose processes take turns (docs/decisions/cosmos-finding-work.md). */
import { sleep } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosProvider, type RequestInfo } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Requests as Traffic, UNHURRIED } from "../../../../test/support/stores/requests.ts";
import { commitOf } from "../support/program.ts";
import { Fetching } from "./support/fetching.ts";

const PARTITIONS = 4;
const PROCESSES = 4;
const LOCK_MS = 30_000;
const INTERVAL_MS = 1_000;
/** The longest wait for work after the last of it was sent. */
const MOST_INTERVALS = 25;
const NEVER = Number.POSITIVE_INFINITY;

interface Process {
  readonly provider: CosmosProvider;
  readonly log: RequestInfo[];
  readonly network: { /** Its requests arrive nowhere any more. */ isCut: boolean };
  readonly running: Fetching<unknown>[];
  /** Instances that it has served, and when, ms since the epoch. */
  readonly served: Map<string, number>;
}

let emulator: CosmosEmulator;
let clock: VirtualClock;
let traffic: Traffic;
let processes: Process[];
let sender: CosmosProvider;

beforeEach(async () => {
  clock = new VirtualClock(Math.ceil(Date.now() / INTERVAL_MS) * INTERVAL_MS);
  traffic = new Traffic();
  emulator = await CosmosEmulator.start({
    port: 0,
    physicalPartitions: PARTITIONS,
    now: () => clock.now(),
  });
  processes = [];
  for (let n = 0; n < PROCESSES; n++) processes.push(await open());
  const { connectionString } = emulator;
  sender = await CosmosProvider.connectThrough({ connectionString, clock, ...UNHURRIED }, (request, next) =>
    traffic.await(next(request)),
  );
  // All have beaten since the last one joined.
  await pass(25_000);
});
afterEach(async () => {
  for (const { network } of processes) network.isCut = false;
  let isClosed = false;
  const closing = close().finally(() => {
    isClosed = true;
  });
  while (!isClosed) await pass(50);
  await closing;
  await emulator[Symbol.asyncDispose]();
});

async function close(): Promise<void> {
  for (const { running } of processes) for (const each of running) await each.stop();
  await Promise.all([sender.close(), ...processes.map(({ provider }) => provider.close())]);
}

async function open(): Promise<Process> {
  const { connectionString } = emulator;
  const log: RequestInfo[] = [];
  const network = { isCut: false };
  const provider = await CosmosProvider.connectThrough(
    { connectionString, clock, onRequest: (info) => log.push(info), ...UNHURRIED },
    (request, next) => {
      if (network.isCut) return Promise.reject(Object.assign(new Error("cut"), { code: "ECONNRESET" }));
      return traffic.await(next(request));
    },
  );
  const served = new Map<string, number>();
  const turns = new Fetching(
    (signal) =>
      provider
        .fetchOrchestrationItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs: 30_000, signal })
        .catch(() => sleep(clock, INTERVAL_MS, signal).then(() => undefined)),
    (fetched) => {
      served.set(fetched.item.instanceId, clock.now());
      return provider.ackOrchestrationItem(commitOf(fetched, clock.now()));
    },
  );
  const tagFilter = { kind: "any" } as const;
  const activities = new Fetching(
    (signal) =>
      provider
        .fetchWorkItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs: 30_000, signal, tagFilter })
        .catch(() => sleep(clock, INTERVAL_MS, signal).then(() => undefined)),
    async () => {},
  );
  return { provider, log, network, running: [turns, activities], served };
}

async function pass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 50) {
    await clock.advance(50);
    await traffic.idle();
    await clock.settle();
  }
}

/** How long each start waits, ms. */
async function waits(count: number, everyMs: number, name: string): Promise<readonly number[]> {
  const sent = new Map<string, number>();
  for (let n = 0; n < count; n++) {
    const id = `${name}-${n}`;
    sent.set(id, clock.now());
    await sender.enqueueForOrchestrator(startItem(id));
    await pass(everyMs);
  }
  for (let n = 0; n < MOST_INTERVALS && [...sent.keys()].some((id) => servedMs(id) === NEVER); n++)
    await pass(INTERVAL_MS);
  return [...sent].map(([id, sentMs]) => servedMs(id) - sentMs);
}

function servedMs(id: string): number {
  return processes.map(({ served }) => served.get(id)).find((each) => each !== undefined) ?? NEVER;
}

describe("a fleet on four physical partitions", () => {
  it("asks each partition once in an interval while it idles", async () => {
    for (const { log } of processes) log.length = 0;
    await pass(20_000);
    const scans = processes
      .flatMap(({ log }) => log)
      .filter(({ operation, kind }) => operation.startsWith("fetch") && kind === "scan");
    expect(scans.length).toBeGreaterThanOrEqual(19 * PARTITIONS);
    expect(scans.length).toBeLessThanOrEqual(21 * PARTITIONS);
  });

  it("finds work within an interval and a half, in whatever partition (poll-interval.PI3)", async () => {
    const waited = await waits(12, 3_330, "idle");
    expect(Math.max(...waited)).toBeLessThanOrEqual(1.5 * INTERVAL_MS + 100);
  });

  it("still finds work when a process dies", async () => {
    const [victim] = processes;
    if (victim === undefined) throw new Error("no processes");
    victim.network.isCut = true;
    const waited = await waits(8, 3_330, "after");
    // Each interval is the dead process's with the chance of 1 in 4. As many in a row are 1 in 10^12.
    expect(Math.max(...waited)).toBeLessThanOrEqual(20 * INTERVAL_MS);
    // Half of them wait as long with the chance of 1 in 10^8.
    const [median = NEVER] = waited.toSorted((a, b) => a - b).slice(waited.length / 2);
    expect(median).toBeLessThanOrEqual(4 * INTERVAL_MS + 100);
    expect(victim.served.size).toBe(0);
  });

  it("finds work while one process is busy and the others are idle", async () => {
    const [busy] = processes;
    if (busy === undefined) throw new Error("no processes");
    const work = Array.from({ length: 60 }, (_, n) => `busy-${n}`);
    const feeding = (async () => {
      for (const id of work) {
        await busy.provider.enqueueForOrchestrator(startItem(id));
        await pass(100);
      }
    })();
    await feeding;
    const waited = await waits(6, 1_130, "beside");
    expect(Math.max(...waited)).toBeLessThanOrEqual(INTERVAL_MS + 500);
  });
});
