/** A worker as a process of its own, which can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("worker.ts", import.meta.url));

export class WorkerProcess {
  readonly holder: string;
  /** Resolves when the process is gone; rejects where it broke down by itself. */
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  #complaints = "";
  #isKilled = false;

  constructor(container: string, holder: string) {
    this.holder = holder;
    this.#process = spawn(process.execPath, [...process.execArgv, PROGRAM, container, holder], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#process.stderr?.on("data", (text) => {
      this.#complaints += text;
    });
    this.ended = this.#watch();
    // Code that awaits it gets the error; until then it is no unhandled rejection.
    this.ended.catch(() => {});
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** SIGKILL cannot be caught: the process gets no chance to finish or to give anything back. */
  kill(): void {
    this.#isKilled = true;
    this.#process.kill("SIGKILL");
  }

  async #watch(): Promise<void> {
    await once(this.#process, "close");
    if (this.#isKilled || this.#process.exitCode === 0) return;
    throw new Error(`The worker ${this.holder} broke down.\n${this.#complaints}`);
  }
}
