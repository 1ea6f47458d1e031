/** Several processes. Every now and then one dies and is started again, or stands still beyond all its leases. */
import type { RunningProcess } from "../support/program-process.ts";
import type { SeededRandom } from "../support/seeded-random.ts";
import { HeldResources } from "./resources.ts";

export interface WorkersOptions {
  readonly count: number;
  readonly random: SeededRandom;
  /** Starts the one with this index, from 0 on. */
  readonly start: (index: number) => RunningProcess;
  /** Shortest and longest time between two troubles, ms. */
  readonly calmMs: readonly [number, number];
  /** Longer than the leases of the processes. */
  readonly frozenMs: number;
}

/** One trouble of so many is no death. */
const FREEZES = 4;

export class Workers implements AsyncDisposable {
  readonly #options: WorkersOptions;
  readonly #processes: RunningProcess[];
  /** How those ended that were not killed, and what grew in any of them. */
  readonly breakdowns: string[] = [];
  #killed = 0;
  #troubledAtMs: number | undefined;
  #frozen = 0;
  #nextTrouble: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#processes = Array.from({ length: options.count }, (_, index) => this.#start(index));
  }

  get killed(): number {
    return this.#killed;
  }

  get frozen(): number {
    return this.#frozen;
  }

  /** Time at which one was killed, frozen or thawed last, ms since the epoch. */
  get troubledAtMs(): number | undefined {
    return this.#troubledAtMs;
  }

  beginTrouble(): void {
    const { random, calmMs } = this.#options;
    const [least, most] = calmMs;
    const delayMs = least + random.below(most - least);
    this.#nextTrouble = setTimeout(() => {
      const worker = this.#processes[random.below(this.#processes.length)];
      if (random.below(FREEZES) === 0) this.#freeze(worker);
      else this.#kill(worker);
      this.beginTrouble();
    }, delayMs);
  }

  endTrouble(): void {
    clearTimeout(this.#nextTrouble);
  }

  #kill(worker: RunningProcess | undefined): void {
    worker?.kill();
    this.#troubledAtMs = Date.now();
    this.#killed++;
  }

  #freeze(worker: RunningProcess | undefined): void {
    worker?.freeze();
    this.#troubledAtMs = Date.now();
    this.#frozen++;
    setTimeout(() => {
      worker?.thaw();
      this.#troubledAtMs = Date.now();
    }, this.#options.frozenMs);
  }

  #start(index: number): RunningProcess {
    const worker = this.#options.start(index);
    const held = new HeldResources(worker.process);
    void worker.ended.then(() => {
      this.breakdowns.push(...held.growth);
      if (this.#isClosing) return;
      if (!worker.wasKilled) this.breakdowns.push(`a process broke down, ${worker.lastWords}`);
      this.#processes[index] = this.#start(index);
    });
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    this.endTrouble();
    for (const worker of this.#processes) worker.kill();
    await Promise.all(this.#processes.map(({ ended }) => ended));
  }
}
