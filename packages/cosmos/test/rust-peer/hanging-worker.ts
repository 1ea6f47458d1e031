/** A worker of ours in a process of its own, which hangs in one place, and is there to be killed. */
import { on } from "node:events";
import path from "node:path";
import { ProgramProcess } from "../../../../test/support/program-process.ts";
import type { Place } from "./place.ts";

const PROGRAM = path.join(import.meta.dirname, "hanging-process.ts");

/** Place at which it hangs: the activity, or the turn of `relay` that comes after its first step. */
export type HangsIn = "greet" | "relay";

export class HangingWorker implements AsyncDisposable {
  readonly #process: ProgramProcess;
  readonly #said: AsyncIterator<readonly unknown[]>;

  private constructor({ endpoint, key, database, container }: Place, hangsIn: HangsIn) {
    this.#process = new ProgramProcess(PROGRAM, [endpoint, key, database, container, hangsIn]);
    this.#said = on(this.#process.process, "message", { close: ["close"] });
  }

  /** Resolves when it serves. */
  static async serve(place: Place, hangsIn: HangsIn): Promise<HangingWorker> {
    const worker = new HangingWorker(place, hangsIn);
    await worker.says("serves");
    return worker;
  }

  /** Resolves when it says this, and nothing else before. */
  async says(expected: string): Promise<void> {
    const { value } = await this.#said.next();
    const [message] = (value ?? []) as readonly unknown[];
    if (message !== expected) {
      throw new Error(`it said ${message} instead of "${expected}"; ${this.#process.lastWords}`);
    }
  }

  /** Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#process.kill();
    await this.#process.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
