/** Several processes. Every now and then one dies and is started again, or stands still beyond all its leases. */
import path from "node:path";
import { ProgramProcess } from "../../../../test/support/program-process.ts";
import type { SeededRandom } from "../../../../test/support/seeded-random.ts";
import type { Place } from "./place.ts";

const PROGRAM = path.join(import.meta.dirname, "worker.ts");

/** Between two troubles, at least and at most. */
const CALM_MS = [1_500, 4_000] as const;

/** One trouble of so many is no death. */
const FREEZES = 4;

/** Longer than the leases of worker.ts. */
const FROZEN_MS = 8_000;

export class Workers implements AsyncDisposable {
  readonly #place: Place;
  readonly #random: SeededRandom;
  readonly #processes: ProgramProcess[];
  /** How those ended that were not killed. */
  readonly breakdowns: string[] = [];
  #killed = 0;
  #frozen = 0;
  #nextTrouble: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(place: Place, count: number, random: SeededRandom) {
    this.#place = place;
    this.#random = random;
    this.#processes = Array.from({ length: count }, (_, index) => this.#start(index));
  }

  get killed(): number {
    return this.#killed;
  }

  get frozen(): number {
    return this.#frozen;
  }

  beginTrouble(): void {
    const [least, most] = CALM_MS;
    const delayMs = least + this.#random.below(most - least);
    this.#nextTrouble = setTimeout(() => {
      const worker = this.#processes[this.#random.below(this.#processes.length)];
      if (this.#random.below(FREEZES) === 0) this.#freeze(worker);
      else this.#kill(worker);
      this.beginTrouble();
    }, delayMs);
  }

  endTrouble(): void {
    clearTimeout(this.#nextTrouble);
  }

  #kill(worker: ProgramProcess | undefined): void {
    worker?.kill();
    this.#killed++;
  }

  #freeze(worker: ProgramProcess | undefined): void {
    worker?.freeze();
    this.#frozen++;
    setTimeout(() => worker?.thaw(), FROZEN_MS);
  }

  #start(index: number): ProgramProcess {
    const { connectionString, database, container } = this.#place;
    const worker = new ProgramProcess(PROGRAM, [connectionString, database, container]);
    void worker.ended.then(() => {
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
