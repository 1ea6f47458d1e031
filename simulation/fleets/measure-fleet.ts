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
  /** That are measured. */
  readonly seconds: number;
  readonly seed: number;
}

/** A second, of all processes together; latencies in ms. */
export interface FleetCost extends Omit<Fleet, "seed" | "seconds"> {
  readonly requestsPerSecond: number;
  readonly ruPerSecond: number;
  /** That were started. */
  readonly orchestrations: number;
  /** The last activities that ended; fewer than that where the fleet does not keep up. */
  readonly completed: number;
  /** From the start of an orchestration to that of its first activity. */
  readonly startMs: Percentiles | undefined;
  /** The most that one process has done, of a mean of 1: only where processes stay. */
  readonly busiest: number | undefined;
}

interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

const NAMES = { database: "fleets", container: "fleets" } as const;

/** Until intervals have grown to their longest, and each process knows the others. */
const SETTLE_MS = 45_000;
/** What an activity takes. */
const WORK_MS = 50;
const ACTIVITIES = 3;

export async function measureFleet(globals: Globals, fleet: Fleet): Promise<FleetCost> {
  const world = globals.newWorld(fleet.seed);
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
  readonly #startedAtMs = new Map<string, number>();
  readonly #latenciesMs: number[] = [];
  readonly #done = new Map<string, number>();
  #requests = 0;
  #charge = 0;
  #orchestrations = 0;
  #completed = 0;
  #isMeasuring = false;

  constructor(world: World, fleet: Fleet) {
    this.#world = world;
    this.#fleet = fleet;
    const chance = Chance.of(world.seed, "endpoint");
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
    const { processes, physicalPartitions, startsPerSecond, membership, concurrency, churn, seconds } =
      this.#fleet;
    for (let n = 0; n < processes; n++) this.#join();
    this.#begin("client", (machine) => this.#startAtRandom(machine));
    await this.#world.run(SETTLE_MS);
    this.#isMeasuring = true;
    this.#replaceOneLater();
    await this.#world.run(seconds * 1_000);
    this.#isMeasuring = false;
    const done = [...this.#done.values()];
    const mean = done.reduce((sum, each) => sum + each, 0) / processes;
    return {
      processes,
      physicalPartitions,
      startsPerSecond,
      membership,
      concurrency,
      churn,
      requestsPerSecond: rounded(this.#requests / seconds),
      ruPerSecond: rounded(this.#charge / seconds),
      orchestrations: this.#orchestrations,
      completed: this.#completed,
      startMs: percentilesOf(this.#latenciesMs),
      busiest: mean === 0 || churn > 0 ? undefined : rounded(Math.max(...done) / mean),
    };
  }

  async end(): Promise<void> {
    for (const machine of this.#machines) machine.kill();
    await this.#endpoint[Symbol.asyncDispose]();
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
      if (this.#isMeasuring && n === ACTIVITIES - 1) this.#completed++;
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

  /** Not of the fleet: what it requests is not counted. */
  async #startAtRandom(machine: Machine): Promise<void> {
    const { startsPerSecond, seed } = this.#fleet;
    if (startsPerSecond === 0) return;
    const client = new Client(await this.#connect(machine), { clock: machine, logger: silentLogger });
    const chance = Chance.of(seed, "arrivals");
    for (;;) {
      await sleep(machine, Math.ceil((-1_000 / startsPerSecond) * Math.log(1 - chance.next())));
      const instanceId = `order-${chance.uuid()}`;
      const started = client.start("program", { instanceId }).then(() => {
        this.#startedAtMs.set(instanceId, machine.now());
        if (this.#isMeasuring) this.#orchestrations++;
      });
      started.catch((error: unknown) => this.#world.fail(error));
    }
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
      if (isOfFleet && this.#isMeasuring) {
        this.#requests++;
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
  return { p50: at(0.5), p99: at(0.99) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
