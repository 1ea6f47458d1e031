/** An endpoint that runs as a child process of the suite, and that a check may bring down. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { RawClient } from "./client/raw-client.ts";
import { EMULATOR_KEY } from "./target.ts";

const PATIENCE_MS = 30_000;
const BETWEEN_TRIES_MS = 50;
const SLOW_ANSWER_MS = 5000;

export class SpawnedEndpoint {
  readonly #command: string;
  readonly #endpoint: string;
  #child: ChildProcess | undefined;
  restarts = 0;

  private constructor(command: string, endpoint: string) {
    this.#command = command;
    this.#endpoint = endpoint;
  }

  /** Resolves once it answers. */
  static async start(command: string, endpoint: string): Promise<SpawnedEndpoint> {
    const spawned = new SpawnedEndpoint(command, endpoint);
    await spawned.#begin();
    return spawned;
  }

  /** Whether anything answers at its address, whatever the status. */
  async answers(): Promise<boolean> {
    const client = new RawClient(new URL(this.#endpoint), EMULATOR_KEY);
    const answer = client.send({ method: "GET", link: "", path: "/", showThrottling: true }).then(() => true);
    const tooLate = sleep(SLOW_ANSWER_MS, false, { ref: false });
    const hasAnswered = await Promise.race([answer, tooLate]).catch(() => false);
    client.close();
    return hasAnswered;
  }

  async restart(): Promise<void> {
    this.restarts++;
    await this.stop();
    await this.#begin();
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async #begin(): Promise<void> {
    const [program = "", ...args] = this.#command.split(" ");
    this.#child = spawn(program, args, { stdio: "ignore" });
    for (
      const since = performance.now();
      performance.now() - since < PATIENCE_MS;
      await sleep(BETWEEN_TRIES_MS)
    ) {
      if (await this.answers()) return;
    }
    await this.stop();
    throw new Error(`nothing answers at ${this.#endpoint}: check that \`${this.#command}\` listens there`);
  }
}
