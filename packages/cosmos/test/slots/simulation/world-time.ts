/**
 * The time of a simulation: it stands still while anything can be done without it. Nothing in the simulation waits for
 * the machine, so one round of the event loop after each timer is enough, and a minute passes in milliseconds.
 */
import { setImmediate as nextRound } from "node:timers/promises";
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import { Agenda, type Happening } from "../../../../../test/support/agenda.ts";

export class WorldTime implements Clock {
  #nowMs = 1_700_000_000_000;
  #order = 0;
  readonly #timers = new Agenda<Happening>();

  now(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): CancelTimer {
    const dueMs = this.#nowMs + Math.max(0, delayMs);
    const timer: Happening = { dueMs, tie: this.#order++, callback, isCancelled: false };
    this.#timers.push(timer);
    return () => {
      timer.isCancelled = true;
    };
  }

  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await nextRound();
    for (
      let timer = this.#timers.first;
      timer !== undefined && timer.dueMs <= endMs;
      timer = this.#timers.first
    ) {
      this.#timers.pop();
      if (timer.isCancelled) continue;
      this.#nowMs = timer.dueMs;
      timer.callback();
      await nextRound();
    }
    this.#nowMs = endMs;
  }
}
