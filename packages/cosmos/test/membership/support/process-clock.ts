/** The clock of one process: it may be wrong, and it stops when the process does. */
import type { CancelTimer, Clock } from "@duroxide-ts/core";

export class ProcessClock implements Clock {
  readonly #world: Clock;
  #state: "running" | "frozen" | "dead" = "running";
  /** Callbacks that fell due while the process was frozen. */
  #missed: (() => void)[] = [];
  /** Lead over the world's clock, ms. */
  offsetMs: number;

  constructor(world: Clock, offsetMs = 0) {
    this.#world = world;
    this.offsetMs = offsetMs;
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  now(): number {
    return this.#world.now() + this.offsetMs;
  }

  schedule(delayMs: number, callback: () => void): CancelTimer {
    return this.#world.schedule(delayMs, () => this.run(callback));
  }

  /** Now, or once the process goes on, or never. */
  run(callback: () => void): void {
    if (this.#state === "running") callback();
    else if (this.#state === "frozen") this.#missed.push(callback);
  }

  /** Stops as SIGSTOP does. */
  freeze(): void {
    if (this.#state === "running") this.#state = "frozen";
  }

  /** Goes on as SIGCONT does. */
  thaw(): void {
    if (this.#state !== "frozen") return;
    this.#state = "running";
    const missed = this.#missed;
    this.#missed = [];
    for (const callback of missed) this.run(callback);
  }

  /** Ends as SIGKILL does. */
  kill(): void {
    this.#state = "dead";
    this.#missed = [];
  }
}
