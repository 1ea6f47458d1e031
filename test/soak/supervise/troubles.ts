/**
 * Interrupts the processes and the store of the soak, at times that the seed decides. All times are parts of a lock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { SeededRandom } from "../../support/seeded-random.ts";
import { timesOf } from "../settings.ts";
import type { SoakStore } from "../stores/soak-store.ts";
import type { Supervisor } from "./supervisor.ts";

/** One of so many interruptions of a process is a freeze. */
const FREEZES = 4;

export interface TroublesOptions {
  readonly supervisor: Supervisor;
  readonly store: SoakStore;
  readonly random: SeededRandom;
  readonly lockMs: number;
  /** Called with the other code under way in one process. */
  readonly whileDeployed: () => Promise<void>;
  /** Resolves when another deployment can do the harm that is wanted. */
  readonly beforeDeployment: () => Promise<void>;
}

export class Troubles {
  readonly #options: TroublesOptions;
  readonly #end = new AbortController();
  readonly #running: Promise<void>[];
  /** How often the store had each fault. */
  readonly faults = new Map<string, number>();
  deployments = 0;
  /** The fault that the store has now. */
  fault: string | undefined;

  constructor(options: TroublesOptions) {
    this.#options = options;
    this.#running = [this.#interruptions(), this.#faults(), this.#deployments()];
  }

  /** Resolves when the store is mended and every process runs the right code. */
  async end(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#running);
  }

  async #interruptions(): Promise<void> {
    const { random, supervisor, lockMs } = this.#options;
    while (await this.#pause(0.5, 1)) {
      const { serving } = supervisor;
      const seat = serving[random.below(serving.length)];
      if (seat === undefined) continue;
      if (random.below(FREEZES) === 0) void this.#freeze(seat, timesOf(lockMs).freezeMs);
      else supervisor.kill(seat);
    }
    supervisor.thaw();
  }

  /** A process that holds the store's own lock while it is frozen is thawed, and frozen a little later. */
  async #freeze(seat: number, freezeMs: number): Promise<void> {
    const { supervisor, store } = this.#options;
    supervisor.freeze(seat);
    while (await store.isHeld()) {
      supervisor.thaw(seat);
      await sleep(20);
      if (this.#end.signal.aborted) return;
      supervisor.freeze(seat);
    }
    await this.#rest(freezeMs);
    supervisor.thaw(seat);
  }

  /** Shorter than what is left of a lock that is due to be renewed, so that no lock ends for it. */
  async #faults(): Promise<void> {
    const { store } = this.#options;
    while (await this.#pause(1.2, 2.5)) {
      const name = await store.spoil();
      this.fault = name;
      this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
      await this.#pause(0.2, 0.35);
      await store.mend();
      this.fault = undefined;
    }
  }

  async #deployments(): Promise<void> {
    const { supervisor, random, whileDeployed, beforeDeployment } = this.#options;
    while (await this.#pause(0.6, 1.2)) {
      await Promise.race([beforeDeployment(), this.#ended()]);
      if (this.#end.signal.aborted) return;
      const seat = random.below(supervisor.size);
      supervisor.deploy(seat, "other");
      this.deployments++;
      await this.#pause(0.2, 0.2);
      await whileDeployed();
      await this.#pause(0.5, 1);
      supervisor.deploy(seat, "right");
    }
  }

  /** False when the troubles are over. */
  async #pause(least: number, most: number): Promise<boolean> {
    const { random, lockMs } = this.#options;
    await this.#rest(lockMs * (least + random.next() * (most - least)));
    return !this.#end.signal.aborted;
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#end.signal }).catch(() => {});
  }

  async #ended(): Promise<void> {
    const { signal } = this.#end;
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  }
}
