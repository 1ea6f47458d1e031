/**
 * A fleet under random kills, hangs, cuts, throttling and wrong clocks, then calm. Everything follows from
 * the seed.
 */

import { SeededRandom } from "../../../../../test/support/seeded-random.ts";
import { DISPATCH_SLOTS } from "../../../src/documents/dispatch-slot.ts";
import { BEAT_MS, LEASE_MS } from "../support/fleet.ts";
import { LeaseStore } from "./lease-store.ts";
import { RECOVERY_MS, type Weather } from "./network.ts";
import { RowStore } from "./row-store.ts";
import { SimulatedProcess, type Surroundings } from "./simulated-process.ts";
import { TROUBLES } from "./troubles.ts";
import { Watch } from "./watch.ts";
import { WorldTime } from "./world-time.ts";

const MOST_PROCESSES = 32;

/** Until those who are there from the beginning have joined. */
const SETTLED_MS = 5_000;
const STORM_MS = 150_000;
/** Half of what happens does so together: one failure hides another. */
const BURST_MS = 40_000;
const MOST_EVENTS = 25;
const LONGEST_TROUBLE_MS = 60_000;
/** Until leases have run out, tables are mended, and what was locked is free again. */
const CALM_MS: number = LEASE_MS + 4 * BEAT_MS + 2 * LONGEST_TROUBLE_MS;
const MOST_ORCHESTRATIONS = 120;
const MOST_STEPS = 6;
const MOST_SKEW_MS = 30_000;

/** Often enough that there is somebody whom trouble can befall. */
const KINDS: readonly string[] = ["join", "join", "kill", "leave", ...Object.keys(TROUBLES)];

export interface SimulationResult {
  readonly seed: number;
  /** The most at a time. */
  readonly processes: number;
  readonly orchestrations: number;
  readonly events: Readonly<Record<string, number>>;
  readonly longestOrphanedMs: number;
  readonly tablesWritten: number;
  readonly slotsMoved: number;
  readonly violations: readonly string[];
}

export async function simulate(seed: number): Promise<SimulationResult> {
  return new Simulation(seed).run();
}

class Simulation {
  readonly #seed: number;
  readonly #random: SeededRandom;
  readonly #world = new WorldTime();
  readonly #watch = new Watch(this.#world);
  readonly #weather: Weather = { throttled: 0, lostAnswers: 0 };
  readonly #rows = new RowStore(this.#watch.question);
  readonly #surroundings: Surroundings;
  readonly #events: Record<string, number> = {};
  #processes: SimulatedProcess[] = [];
  #joined = 0;
  #most = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new SeededRandom(seed);
    this.#surroundings = {
      world: this.#world,
      random: this.#random,
      weather: this.#weather,
      leases: new LeaseStore(this.#world, this.#watch.table),
      rows: this.#rows,
    };
  }

  async run(): Promise<SimulationResult> {
    const random = this.#random;
    const orchestrations = 1 + random.below(MOST_ORCHESTRATIONS);
    for (let n = 0; n < orchestrations; n++) {
      const [slot, steps] = [random.below(DISPATCH_SLOTS), 1 + random.below(MOST_STEPS)];
      this.#world.schedule(random.below(STORM_MS), () => this.#rows.start(`o${n}`, slot, steps));
    }
    const first = 1 + random.below(MOST_PROCESSES);
    for (let n = 0; n < first; n++) this.#world.schedule(random.below(SETTLED_MS), () => this.#join());
    const count = random.below(MOST_EVENTS);
    const burstMs = random.below(STORM_MS - BURST_MS);
    for (let n = 0; n < count; n++) {
      const atMs = random.next() < 0.5 ? burstMs + random.below(BURST_MS) : random.below(STORM_MS);
      this.#world.schedule(SETTLED_MS + atMs, () => this.#happen());
    }
    await this.#world.advance(SETTLED_MS + STORM_MS);
    if (this.#processes.length === 0) this.#join();
    await this.#world.advance(CALM_MS);
    this.#watch.end();
    return {
      seed: this.#seed,
      processes: this.#most,
      orchestrations,
      events: this.#events,
      ...this.#watch.figures,
      violations: [...this.#watch.violations, ...this.#unfinished(), ...this.#divided()],
    };
  }

  #join(): void {
    if (this.#processes.length >= MOST_PROCESSES) return;
    const offsetMs = this.#random.below(2 * MOST_SKEW_MS) - MOST_SKEW_MS;
    this.#processes.push(new SimulatedProcess(`p${this.#joined++}`, this.#surroundings, offsetMs));
    this.#most = Math.max(this.#most, this.#processes.length);
    this.#attend();
  }

  /** Told to the watch whenever it may have changed. */
  #attend(): void {
    this.#watch.attended(this.#processes.some(({ isAttending }) => isAttending));
  }

  #happen(): void {
    const kind = KINDS[this.#random.below(KINDS.length)] ?? "join";
    const process = this.#processes[this.#random.below(Math.max(1, this.#processes.length))];
    this.#events[kind] = (this.#events[kind] ?? 0) + 1;
    if (kind === "join" || process === undefined) this.#join();
    else if (kind === "kill" || kind === "leave") this.#depart(process, kind);
    else this.#befall(process, kind);
    this.#attend();
  }

  #depart(process: SimulatedProcess, how: "kill" | "leave"): void {
    if (how === "kill") process.clock.kill();
    else process.close();
    this.#processes = this.#processes.filter((each) => each !== process);
  }

  #befall(process: SimulatedProcess, kind: string): void {
    const end = TROUBLES[kind]?.({ process, weather: this.#weather, random: this.#random });
    const forMs = 1_000 + this.#random.below(LONGEST_TROUBLE_MS - 1_000);
    this.#world.schedule(forMs, () => {
      end?.();
      this.#attend();
    });
    this.#world.schedule(forMs + RECOVERY_MS, () => this.#attend());
  }

  #unfinished(): readonly string[] {
    return this.#rows.rows.flatMap(({ id, steps, committed }) => {
      const isRight = committed.length === steps && committed.every((step, index) => step === index);
      return isRight ? [] : [`${id} has ${steps} steps, of which [${committed}] were committed`];
    });
  }

  /** In the calm, each slot is one process's, and the shares are equal. */
  #divided(): readonly string[] {
    return (["orch_queue", "worker_queue"] as const).flatMap((queue) => {
      const served = this.#processes.map((process) => process.serves(queue));
      const sizes = served.map(({ size }) => size);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const isEqual = Math.max(...sizes) - Math.min(...sizes) <= 1;
      const isWhole = new Set(served.flatMap((slots) => [...slots])).size === DISPATCH_SLOTS;
      return isEqual && isWhole && total === DISPATCH_SLOTS ? [] : [`in the end ${queue} is shared ${sizes}`];
    });
  }
}
