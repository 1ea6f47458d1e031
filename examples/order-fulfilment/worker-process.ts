/** The worker as a process of its own, which can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Place } from "./place.ts";

const PROGRAM = fileURLToPath(new URL("worker.ts", import.meta.url));

export class WorkerProcess {
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  #complaints = "";

  constructor({ databaseFile, container }: Place) {
    const place = container === undefined ? [databaseFile] : [databaseFile, container];
    this.#process = spawn(process.execPath, [...process.execArgv, PROGRAM, ...place], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#process.stderr?.on("data", (text) => {
      this.#complaints += text;
    });
    this.ended = once(this.#process, "close").then(() => {});
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Whether it ended by itself, with its work done. Throws where it broke down. */
  get isDone(): boolean {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) return false;
    if (exitCode === 0) return true;
    throw new Error(`The worker broke down (${signalCode ?? `exit code ${exitCode}`}).\n${this.#complaints}`);
  }

  /** SIGKILL cannot be caught: the process gets no chance to finish or to save anything. */
  kill(): void {
    this.#process.kill("SIGKILL");
  }
}
