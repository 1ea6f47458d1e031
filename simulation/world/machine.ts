/**
 * One simulated process. Everything that it waits for comes through it: timers, answers, rounds. Once it is dead nothing
 * comes any more, so its code stands still for ever at the `await` at which it was, as the code of a killed process does.
 *
 * - machine.M1: Nothing that belongs to a dead machine happens.
 * - machine.M2: Nothing that belongs to a frozen machine happens before it wakes; then everything that fell due does,
 *   in its order.
 * - machine.M3: Its clock may be ahead or behind, and jump; its timers wait by the time of the world. Where its clock
 *   runs fast or slow, its timers do so too.
 */
import type { CancelTimer, Clock } from "@duroxide-ts/core";

/** The time of a world, which is that of all its machines. */
export interface WorldTime {
  readonly nowMs: number;
  schedule(delayMs: number, machine: Machine | undefined, what: string, callback: () => void): CancelTimer;
}

export class Machine implements Clock {
  readonly name: string;
  readonly #world: WorldTime;
  #isDead = false;
  #frozenUntilMs = 0;
  #skewMs = 0;
  #driftPerMille = 0;
  #driftSinceMs = 0;
  #wasSetBack = false;
  #onDeath: (() => void)[] = [];

  constructor(world: WorldTime, name: string) {
    this.#world = world;
    this.name = name;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get frozenUntilMs(): number {
    return this.#frozenUntilMs;
  }

  /** Sets the lead of its clock at this instant. */
  set skewMs(value: number) {
    this.#wasSetBack ||= this.#world.nowMs + value < this.now();
    this.#skewMs = value;
    this.#driftSinceMs = this.#world.nowMs;
  }

  /** Whether its clock has ever gone back. */
  get wasSetBack(): boolean {
    return this.#wasSetBack;
  }

  /** Sets the gain of its clock in each second of the world from now on. */
  set driftPerMille(value: number) {
    this.skewMs = this.now() - this.#world.nowMs;
    this.#driftPerMille = value;
  }

  now(): number {
    const { nowMs } = this.#world;
    if (this.#driftPerMille === 0) return nowMs + this.#skewMs;
    const gainedMs = ((nowMs - this.#driftSinceMs) * this.#driftPerMille) / 1_000;
    return nowMs + this.#skewMs + Math.floor(gainedMs);
  }

  /** Its clock is right, and stays so. */
  setRight(): void {
    this.driftPerMille = 0;
    this.skewMs = 0;
  }

  schedule(delayMs: number, callback: () => void): CancelTimer {
    const ofWorldMs = delayMs / (1 + this.#driftPerMille / 1_000);
    return this.#world.schedule(ofWorldMs, this, "timer", callback);
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
