/** Several processes, of which one dies every now and then and is started again. */
import path from "node:path";
import { ProgramProcess } from "../support/program-process.ts";
import type { SeededRandom } from "../support/seeded-random.ts";
import type { Place } from "./place.ts";

const PROGRAM = path.join(import.meta.dirname, "worker.ts");

/** Between two deaths, at least and at most. */
const LIFE_MS = [1_500, 4_000] as const;

export class Workers implements AsyncDisposable {
  readonly #place: Place;
  readonly #random: SeededRandom;
  readonly #processes: ProgramProcess[];
  /** How those ended that were not killed. */
  readonly breakdowns: string[] = [];
  #killed = 0;
  #nextDeath: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(place: Place, count: number, random: SeededRandom) {
    this.#place = place;
    this.#random = random;
    this.#processes = Array.from({ length: count }, (_, index) => this.#start(index));
  }

  get killed(): number {
    return this.#killed;
  }

  beginToKill(): void {
    const [least, most] = LIFE_MS;
    const delayMs = least + this.#random.below(most - least);
    this.#nextDeath = setTimeout(() => {
      this.#processes[this.#random.below(this.#processes.length)]?.kill();
      this.#killed++;
      this.beginToKill();
    }, delayMs);
  }

  stopKilling(): void {
    clearTimeout(this.#nextDeath);
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
    this.stopKilling();
    for (const worker of this.#processes) worker.kill();
    await Promise.all(this.#processes.map(({ ended }) => ended));
  }
}
