/**
 * One simulated process. Everything that it waits for comes through it: timers, answers, rounds. Once it is dead nothing
 * comes any more, so its code stands still for ever at the `await` at which it was, as the code of a killed process does.
 *
 * M1. Nothing that belongs to a dead machine happens.
 * M2. Nothing that belongs to a frozen machine happens before it wakes; then everything that fell due does, in its order.
 * M3. Its clock may be ahead or behind, run fast or slow, and jump; its timers wait by the time of the world.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";
import type { World } from "./world.ts";

export class Machine implements Clock {
  readonly name: string;
  readonly #world: World;
  #isDead = false;
  #frozenUntilMs = 0;
  #skewMs = 0;
  #onDeath: (() => void)[] = [];

  constructor(world: World, name: string) {
    this.#world = world;
    this.name = name;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get frozenUntilMs(): number {
    return this.#frozenUntilMs;
  }

  /** By how much its clock is ahead. */
  set skewMs(value: number) {
    this.#skewMs = value;
  }

  now(): number {
    return this.#world.nowMs + this.#skewMs;
  }

  schedule(delayMs: number, callback: () => void): CancelTimer {
    return this.#world.schedule(delayMs, this, "timer", callback);
  }

  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    for (const callback of this.#onDeath) callback();
  }

  freeze(forMs: number): void {
    this.#frozenUntilMs = Math.max(this.#frozenUntilMs, this.#world.nowMs + forMs);
  }

  onDeath(callback: () => void): void {
    this.#onDeath.push(callback);
  }
}
