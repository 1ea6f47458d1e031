/**
 * Interrupts the processes and the store of a soak, and deploys other code, at times that the seed decides. All times
 * are parts of a lock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Interruptions } from "../storm/interruptions.ts";
import type { Processes } from "../storm/processes.ts";
import type { SeededRandom } from "../support/seeded-random.ts";
import { type Deployment, timesOf } from "./settings.ts";
import type { SoakStore } from "./stores/soak-store.ts";

export interface TroublesOptions {
  readonly processes: Processes;
  readonly store: SoakStore;
  readonly random: SeededRandom;
  readonly lockMs: number;
  readonly durationMs: number;
  /** Starts one of the processes again, with this code. `at`, below 1, says which. */
  readonly deploy: (deployment: Deployment, at: number) => void;
  /** Called with the other code under way in one process. */
  readonly whileDeployed: () => Promise<void>;
  /** Resolves when another deployment can do the harm that is wanted. */
  readonly beforeDeployment: () => Promise<void>;
}

export class Troubles {
  readonly #options: TroublesOptions;
  readonly #end = new AbortController();
  readonly #interruptions: Interruptions;
  readonly #running: Promise<void>[];
  /** How often the store had each fault. */
  readonly faults = new Map<string, number>();
  deployments = 0;
  /** The fault that the store has now. */
  fault: string | undefined;

  constructor(options: TroublesOptions) {
    this.#options = options;
    const { processes, store, random, lockMs, durationMs } = options;
    this.#interruptions = new Interruptions({
      processes,
      random,
      calmMs: [0.5 * lockMs, lockMs],
      frozenMs: timesOf(lockMs).freezeMs,
      durationMs,
      isHeld: () => store.isHeld(),
    });
    this.#running = [this.#faults(), this.#deployments()];
  }

  /** Resolves when the store is mended and every process runs the right code. */
  async end(): Promise<void> {
    this.#end.abort();
    await Promise.all([this.#interruptions.end(), ...this.#running]);
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
    const { deploy, random, whileDeployed, beforeDeployment } = this.#options;
    while (await this.#pause(0.6, 1.2)) {
      await Promise.race([beforeDeployment(), this.#ended()]);
      if (this.#end.signal.aborted) return;
      const at = random.next();
      deploy("other", at);
      this.deployments++;
      await this.#pause(0.2, 0.2);
      await whileDeployed();
      await this.#pause(0.5, 1);
      deploy("right", at);
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
