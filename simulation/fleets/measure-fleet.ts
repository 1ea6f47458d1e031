/** One fleet in virtual time: what its processes request, what that costs, and how soon work begins. */
import { activity, Client, orchestration, Runtime, silentLogger, sleep } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { InProcessEndpoint } from "@duroxide-ts/cosmos-emulator";
import { Link } from "../cosmos/link.ts";
import { type Transport, transportOf } from "../cosmos/transport.ts";
import { Chance } from "../world/chance.ts";
import type { Globals } from "../world/globals.ts";
import type { Machine } from "../world/machine.ts";
import type { World } from "../world/world.ts";
import { ArrivalIds, THROTTLED_RANGE } from "./arrival-ids.ts";

export interface Fleet {
  readonly processes: number;
  readonly physicalPartitions: number;
  /** At random times; 0 for a fleet that idles. */
  readonly startsPerSecond: number;
  readonly membership: boolean;
  /** Turns, and activities, that a process runs at a time; undefined for the default of the runtime. */
  readonly concurrency: number | undefined;
  /** A process is killed and another one joins so often, in seconds; 0 for never. */
  readonly churn: number;
  /**
   * Physical partition 0 refuses every request with 429 while the fleet is measured. `false` for the same arrivals, of
   * which none lies in that partition, without refusals; undefined for arrivals everywhere.
   */
  readonly throttled: boolean | undefined;
  /** Duration of the measurement, virtual seconds. */
  readonly seconds: number;
  readonly seed: number;
}

/** A second, of all processes together; latencies in ms. */
export interface FleetCost extends Omit<Fleet, "seed" | "seconds"> {
  readonly requestsPerSecond: number;
  readonly ruPerSecond: number;
  /** Queries of whole physical partitions, a part of the requests. */
  readonly scansPerSecond: number;
  /** Number of orchestrations started. */
  readonly orchestrations: number;
  /** The last activities that ended; fewer than that where the fleet does not keep up. */
  readonly completed: number;
  /** Time from the start of an orchestration to that of its first activity. */
  readonly startMs: Percentiles | undefined;
  /** Time from the call that starts an orchestration to the end of its last activity; only with `throttled`. */
  readonly elsewhereMs: Percentiles | undefined;
  /** The most that one process has done, of a mean of 1: only where processes stay. */
  readonly busiest: number | undefined;
}

interface Percentiles {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
}

const NAMES = { database: "fleets", container: "fleets" } as const;

/** Time after which intervals have grown to their longest, and each process has read the documents of the others. */
const SETTLE_MS = 45_000;
/** Before partitions are compared, the fleet works for so long. */
const WARM_UP_MS = 5_000;
/** Duration of an activity. */
const WORK_MS = 50;
const ACTIVITIES = 3;

/** Delay that a physical partition advises when it throttles. */
const RETRY_AFTER_MS = 100;

/** Ids for each orchestration that arrives on average, so that there are always some. */
const ENOUGH_IDS = 1.5;

/** Orchestrations under way in the physical partition when it begins to throttle. */
const CAUGHT = 20;
/** Less than they take. */
const BEFORE_MS = 100;

export async function measureFleet(globals: Globals, fleet: Fleet): Promise<FleetCost> {
  const world = globals.newWorld(fleet.seed, undefined, true);
  const run = new FleetRun(world, fleet);
  try {
    return await run.measure();
  } finally {
    await run.end();
  }
}

class FleetRun {
  readonly #world: World;
  readonly #fleet: Fleet;
  readonly #endpoint: InProcessEndpoint;
  readonly #machines: Machine[] = [];
  readonly #serving: Machine[] = [];
  #joined = 0;
  readonly #ids: ArrivalIds;
  /** Start times of orchestrations whose first activity has not begun. */
  readonly #startedAtMs = new Map<string, number>();
  readonly #latenciesMs: number[] = [];
  /** Start times of orchestrations outside the throttled physical partition whose last activity has not ended. */
  readonly #elsewhere = new Map<string, number>();
  readonly #elsewhereMs: number[] = [];
  readonly #done = new Map<string, number>();
  #requests = 0;
  #charge = 0;
  #scans = 0;
  #orchestrations = 0;
  #completed = 0;
  #isMeasuring = false;
  #startCaught: () => void = () => {};

  constructor(world: World, fleet: Fleet) {
    this.#world = world;
    this.#fleet = fleet;
    const chance = Chance.of(world.seed, "endpoint");
    this.#ids = new ArrivalIds(Chance.of(fleet.seed, "ids"));
    this.#endpoint = new InProcessEndpoint({
      now: () => world.nowMs,
      monotonicMs: () => world.nowMs,
      newId: () => chance.uuid(),
      random: () => chance.next(),
      wait: (delayMs) =>
        new Promise((resolve) => void world.schedule(delayMs, undefined, "endpoint", resolve)),
      seed: 1,
      physicalPartitions: fleet.physicalPartitions,
      requestLogSize: 0,
      onFailure: (error) => world.fail(error),
    });
  }

  async measure(): Promise<FleetCost> {
    const { seconds, seed: _, ...told } = this.#fleet;
    const { processes, churn } = told;
    for (let n = 0; n < processes; n++) this.#join();
    this.#begin("client", (machine) => this.#startAtRandom(machine));
    await this.#world.run(SETTLE_MS - BEFORE_MS);
    this.#startCaught();
    await this.#world.run(BEFORE_MS);
    this.#isMeasuring = true;
    if (told.throttled === true) this.#throttle();
    this.#replaceOneLater();
    await this.#world.run(seconds * 1_000);
    this.#isMeasuring = false;
    const done = [...this.#done.values()];
    const mean = done.reduce((sum, each) => sum + each, 0) / processes;
    return {
      ...told,
      requestsPerSecond: rounded(this.#requests / seconds),
      ruPerSecond: rounded(this.#charge / seconds),
      scansPerSecond: rounded(this.#scans / seconds),
      orchestrations: this.#orchestrations,
      completed: this.#completed,
      startMs: percentilesOf(this.#latenciesMs),
      elsewhereMs: percentilesOf(this.#elsewhereMs),
      busiest: mean === 0 || churn > 0 ? undefined : rounded(Math.max(...done) / mean),
    };
  }

  async end(): Promise<void> {
    for (const machine of this.#machines) machine.kill();
    await this.#endpoint[Symbol.asyncDispose]();
  }

  #throttle(): void {
    this.#endpoint.faults.add({
      match: { range: THROTTLED_RANGE },
      effect: { kind: "error", status: 429, retryAfterMs: RETRY_AFTER_MS },
    });
  }

  #join(): void {
    this.#serving.push(this.#begin(`p${this.#joined++}`, (machine) => this.#serve(machine)));
  }

  /** The one that has served longest. */
  #replaceOneLater(): void {
    const { churn } = this.#fleet;
    if (churn === 0) return;
    this.#world.schedule(churn * 1_000, undefined, "churn", () => {
      this.#serving.shift()?.kill();
      this.#join();
      this.#replaceOneLater();
    });
  }

  #begin(name: string, run: (machine: Machine) => Promise<void>): Machine {
    const machine = this.#world.machine(name);
    this.#machines.push(machine);
    this.#world.in(machine, () => {
      run(machine).catch((error: unknown) => this.#world.fail(error));
    });
    return machine;
  }

  async #serve(machine: Machine): Promise<void> {
    const provider = await this.#connect(machine);
    const work = activity("work", async (ctx, n: number) => {
      if (n === 0) this.#noteStart(ctx.instanceId);
      if (this.#isMeasuring) this.#done.set(machine.name, (this.#done.get(machine.name) ?? 0) + 1);
      await sleep(machine, WORK_MS);
      if (n === ACTIVITIES - 1) this.#noteEnd(ctx.instanceId);
    });
    const program = orchestration("program", async (ctx) => {
      for (let n = 0; n < ACTIVITIES; n++) await ctx.scheduleActivity(work, n);
    });
    const { concurrency } = this.#fleet;
    await Runtime.start({
      provider,
      ...(concurrency !== undefined && {
        orchestrationConcurrency: concurrency,
        workerConcurrency: concurrency,
      }),
      activities: [work],
      orchestrations: [program],
      clock: machine,
      random: Chance.of(this.#world.seed, `runtime ${machine.name}`),
      logger: silentLogger,
      determinismGuard: "off",
    });
  }

  #noteStart(instanceId: string): void {
    const startedAtMs = this.#startedAtMs.get(instanceId);
    if (startedAtMs !== undefined && this.#isMeasuring)
      this.#latenciesMs.push(this.#world.nowMs - startedAtMs);
    this.#startedAtMs.delete(instanceId);
  }

  #noteEnd(instanceId: string): void {
    const startedAtMs = this.#elsewhere.get(instanceId);
    this.#elsewhere.delete(instanceId);
    if (!this.#isMeasuring) return;
    this.#completed++;
    if (startedAtMs !== undefined) this.#elsewhereMs.push(this.#world.nowMs - startedAtMs);
  }

  /** Not of the fleet: what it requests is not counted. */
  async #startAtRandom(machine: Machine): Promise<void> {
    const { startsPerSecond, seed, seconds, throttled } = this.#fleet;
    if (startsPerSecond === 0) return;
    const provider = await this.#connect(machine);
    const client = new Client(provider, { clock: machine, logger: silentLogger });
    if (throttled !== undefined) {
      await this.#ids.prepare(provider, startsPerSecond * (WARM_UP_MS / 1_000 + seconds) * ENOUGH_IDS);
      await sleep(machine, SETTLE_MS - this.#world.elapsedMs - WARM_UP_MS);
      this.#startCaught = () => {
        for (const id of this.#ids.takeThrottled(CAUGHT)) this.#start(client, machine, id);
      };
    }
    const chance = Chance.of(seed, "arrivals");
    for (;;) {
      await sleep(machine, Math.ceil((-1_000 / startsPerSecond) * Math.log(1 - chance.next())));
      const instanceId = this.#ids.next();
      const isElsewhere = this.#ids.isElsewhere(instanceId);
      if (this.#isMeasuring && throttled !== undefined && !isElsewhere) continue;
      if (this.#isMeasuring && isElsewhere) this.#elsewhere.set(instanceId, machine.now());
      this.#start(client, machine, instanceId);
    }
  }

  #start(client: Client, machine: Machine, instanceId: string): void {
    const started = client.start("program", { instanceId }).then(() => {
      this.#startedAtMs.set(instanceId, machine.now());
      if (this.#isMeasuring) this.#orchestrations++;
    });
    started.catch((error: unknown) => this.#world.fail(error));
  }

  #connect(machine: Machine): Promise<CosmosProvider> {
    const link = new Link(Chance.of(this.#world.seed, `link ${machine.name}`));
    const isOfFleet = machine.name !== "client";
    const send = transportOf(
      { world: this.#world, endpoint: this.#endpoint, onHit: () => {}, onTaken: () => {} },
      machine,
      link,
    );
    const transport: Transport = async (request) => {
      const response = await send(request);
      if (!isOfFleet) this.#ids.note(request, response);
      if (isOfFleet && this.#isMeasuring) {
        this.#requests++;
        if (request.headers.has("x-ms-documentdb-partitionkeyrangeid")) this.#scans++;
        this.#charge += Number(response.headers.get("x-ms-request-charge") ?? 0);
      }
      return response;
    };
    const { endpoint, key } = this.#endpoint;
    return CosmosProvider.connectThrough(
      {
        endpoint,
        key,
        ...NAMES,
        clock: machine,
        random: Chance.of(this.#world.seed, `provider ${machine.name}`),
        membership: this.#fleet.membership ? {} : false,
        onWarning: () => {},
      },
      transport,
    );
  }
}

function percentilesOf(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  const mean = rounded(sorted.reduce((sum, each) => sum + each, 0) / sorted.length);
  return { count: sorted.length, mean, p50: at(0.5), p99: at(0.99) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
