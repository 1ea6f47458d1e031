/** One process: the real slot leases, and a simple dispatcher for each queue that works on what it finds in its slots. */
import type { Random } from "@duroxide-ts/core";
import type { SeededRandom } from "../../../../../test/support/seeded-random.ts";
import type { QueueName } from "../../../src/fetching/slots/slot-assignment.ts";
import { SlotLeases } from "../../../src/fetching/slots/slot-leases.ts";
import { Service } from "../../../src/service/service.ts";
import { BEAT_MS, LEASE_MS, POLL_MS } from "../support/fleet.ts";
import { ProcessClock } from "../support/process-clock.ts";
import type { LeaseStore } from "./lease-store.ts";
import { Network, type Weather } from "./network.ts";
import type { FoundRow, RowStore } from "./row-store.ts";
import type { WorldTime } from "./world-time.ts";

const LOCK_MS = 30_000;
const LONGEST_WORK_MS = 1_500;

export interface Surroundings {
  readonly world: WorldTime;
  readonly random: SeededRandom;
  readonly weather: Weather;
  readonly leases: LeaseStore;
  readonly rows: RowStore;
}

export class SimulatedProcess {
  readonly name: string;
  readonly clock: ProcessClock;
  readonly network: Network;
  readonly leases: SlotLeases;
  readonly #random: SeededRandom;
  readonly #rows: RowStore;
  /** All its workers are busy, so it asks for nothing more. */
  isBusy = false;
  #isClosed = false;

  constructor(name: string, { world, random, weather, leases, rows }: Surroundings, offsetMs: number) {
    this.name = name;
    this.clock = new ProcessClock(world, offsetMs);
    this.network = new Network(world, this.clock, random, weather);
    this.#random = random;
    this.#rows = rows;
    const chance: Random = { next: () => random.next(), uuid: () => name };
    const requests = new Service(leases.containerFor(this.network), {
      clock: this.clock,
      random: chance,
      onRequest: () => {},
      onWarning: () => {},
    });
    this.leases = new SlotLeases({
      requests,
      clock: this.clock,
      random: chance,
      leaseMs: LEASE_MS,
      beatMs: BEAT_MS,
      onWarning: () => {},
    });
    for (const queue of ["orch_queue", "worker_queue"] as const) this.#pollLater(queue);
  }

  /** It asks, and its questions arrive. */
  get isAttending(): boolean {
    return this.clock.isRunning && !this.#isClosed && !this.isBusy && this.network.isReachable;
  }

  serves(queue: QueueName): ReadonlySet<number> {
    return this.leases.slotsOf({ queue, asks: "all" });
  }

  close(): void {
    this.#isClosed = true;
    void this.leases.close();
  }

  #pollLater(queue: QueueName): void {
    this.clock.schedule(POLL_MS / 2 + this.#random.below(POLL_MS / 2), () => {
      if (this.#isClosed) return;
      if (this.isBusy) return this.#pollLater(queue);
      void this.#poll(queue).finally(() => this.#pollLater(queue));
    });
  }

  async #poll(queue: QueueName): Promise<void> {
    const slots = this.serves(queue);
    const callerMs = this.clock.now();
    const found = await this.network.send(() => this.#rows.find(queue, slots, callerMs)).catch(() => []);
    for (const row of found) void this.#workOn(row).catch(() => {});
  }

  async #workOn({ id, etag, step }: FoundRow): Promise<void> {
    const untilMs = this.clock.now() + LOCK_MS;
    const lock = await this.network.send(() => this.#rows.lock(id, etag, untilMs));
    if (lock === undefined) return;
    await new Promise<void>((resolve) => {
      this.clock.schedule(this.#random.below(LONGEST_WORK_MS), resolve);
    });
    await this.network.send(() => this.#rows.commit(id, lock, step));
  }
}
