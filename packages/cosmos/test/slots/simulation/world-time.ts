/**
 * The time of a simulation: it stands still while anything can be done without it. Nothing in the simulation waits for
 * the machine, so one round of the event loop after each timer is enough, and a minute passes in milliseconds.
 */
import { setImmediate as nextRound } from "node:timers/promises";
import type { CancelTimer, Clock } from "@duroxide-ts/core";

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
  isCancelled: boolean;
}

export class WorldTime implements Clock {
  #nowMs = 1_700_000_000_000;
  #order = 0;
  /** A binary heap, the earliest first. */
  readonly #timers: Timer[] = [];

  now(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): CancelTimer {
    const dueMs = this.#nowMs + Math.max(0, delayMs);
    const timer: Timer = { dueMs, order: this.#order++, callback, isCancelled: false };
    this.#push(timer);
    return () => {
      timer.isCancelled = true;
    };
  }

  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await nextRound();
    for (let timer = this.#timers[0]; timer !== undefined && timer.dueMs <= endMs; timer = this.#timers[0]) {
      this.#pop();
      if (timer.isCancelled) continue;
      this.#nowMs = timer.dueMs;
      timer.callback();
      await nextRound();
    }
    this.#nowMs = endMs;
  }

  #push(timer: Timer): void {
    const heap = this.#timers;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, timer)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = timer;
  }

  #pop(): void {
    const heap = this.#timers;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [a, b] = [heap[left], heap[left + 1]];
      if (a === undefined) break;
      const child = b !== undefined && isBefore(b, a) ? left + 1 : left;
      const below = heap[child] ?? a;
      if (isBefore(last, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}
