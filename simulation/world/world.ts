/**
 * The time of a simulation and everything that is to happen in it (docs/decisions/time-and-tests.md).
 *
 * - world.W1: Time stands still during a step. A step is one thing that happens (a timer, a request that arrives, an
 *   answer that comes back, a fault) and all that follows from it without waiting: promises, next ticks, rounds of the
 *   event loop.
 * - world.W2: The order of what happens at one instant is drawn from the seed.
 * - world.W3: Code of a machine runs in the context of that machine, so that the globals which it reads are its own.
 */

import type { AsyncLocalStorage } from "node:async_hooks";
import type { CancelTimer } from "@duroxide-ts/core";
import { invariant } from "../../packages/core/src/errors/invariant.ts";
import { Agenda, type Happening } from "../../test/support/agenda.ts";
import { Chance } from "./chance.ts";
import { Machine, type WorldTime } from "./machine.ts";
import type { Rounds } from "./rounds.ts";
import type { Trace } from "./trace.ts";

/** `dueMs` and `tie` change where its machine is frozen. */
interface Event extends Happening {
  readonly machine: Machine | undefined;
  readonly what: string;
}

const START_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;
/** Some runs begin so long before midnight, so that what a store keeps by days passes from one to the next. */
const BEFORE_MIDNIGHT_MS = 12_000;

function startOf(seed: number): number {
  const chance = Chance.of(seed, "midnight");
  const midnightMs = Math.ceil(START_MS / DAY_MS) * DAY_MS;
  return chance.happens(0.25) ? midnightMs - chance.between(2_000, BEFORE_MIDNIGHT_MS) : START_MS;
}

export interface WorldOptions {
  readonly seed: number;
  readonly rounds: Rounds;
  readonly trace: Trace;
  readonly running: AsyncLocalStorage<Machine | undefined>;
  /** Called every now and then while steps are taken. */
  readonly onBeat: () => void;
  /** The run takes as many steps as its time has. Otherwise too many are a failure. */
  readonly isEndless?: boolean;
}

const STEPS_OF_A_BEAT = 100;

/** Some ten times the most that 300 runs took. A run beyond one of them repeats something for ever. */
const MOST_STEPS = 100_000;
const MOST_CHARACTERS = 800_000_000;

export class World implements WorldTime {
  readonly chance: Chance;
  readonly seed: number;
  readonly trace: Trace;
  readonly #rounds: Rounds;
  readonly #agenda = new Agenda<Event>();
  readonly #running: AsyncLocalStorage<Machine | undefined>;
  readonly #onBeat: () => void;
  readonly #isEndless: boolean;
  readonly #startMs: number;
  #nowMs: number;
  #steps = 0;
  #failure: unknown;

  constructor({ seed, rounds, trace, running, onBeat, isEndless = false }: WorldOptions) {
    this.seed = seed;
    this.#startMs = startOf(seed);
    this.#nowMs = this.#startMs;
    this.chance = Chance.of(seed, "order");
    this.trace = trace;
    this.#rounds = rounds;
    this.#running = running;
    this.#onBeat = onBeat;
    this.#isEndless = isEndless;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Time since the beginning. */
  get elapsedMs(): number {
    return this.#nowMs - this.#startMs;
  }

  get steps(): number {
    return this.#steps;
  }

  machine(name: string): Machine {
    return new Machine(this, name);
  }

  schedule(delayMs: number, machine: Machine | undefined, what: string, callback: () => void): CancelTimer {
    const event: Event = {
      dueMs: this.#nowMs + Math.max(0, Math.ceil(delayMs)),
      tie: this.chance.next(),
      callback,
      machine,
      what,
    };
    this.#agenda.push(event);
    return () => {
      event.callback = undefined;
    };
  }

  /** Runs code of a machine up to its first wait. */
  in<T>(machine: Machine | undefined, run: () => T): T {
    return this.#running.run(machine, run);
  }

  /** Something that must not fail has failed: the run ends with it. */
  fail(reason: unknown): void {
    this.#failure ??= reason;
  }

  /** Lets things happen until `isOver` or for `forMs`. */
  async run(forMs: number, isOver: () => boolean = () => false): Promise<void> {
    const endMs = this.#nowMs + forMs;
    await this.#rounds.settle();
    while (!isOver()) {
      if (this.#failure !== undefined) throw this.#failure;
      const event = this.#agenda.first;
      if (event === undefined || event.dueMs > endMs) {
        this.#nowMs = endMs;
        return;
      }
      this.#agenda.pop();
      const { callback } = event;
      if (callback === undefined) continue;
      invariant(event.dueMs >= this.#nowMs, "world.W1");
      this.#nowMs = event.dueMs;
      if (this.#isHeldBack(event)) continue;
      invariant(event.machine?.isDead !== true, "machine.M1");
      this.#countStep();
      this.trace.add(`${this.elapsedMs} ${event.machine?.name ?? "-"} ${event.what}`);
      this.in(event.machine, callback);
      await this.#rounds.settle();
      invariant(this.#nowMs === event.dueMs, "world.W1");
    }
  }

  #countStep(): void {
    this.#steps++;
    if (this.#steps % STEPS_OF_A_BEAT === 0) this.#onBeat();
    if (this.#isEndless) return;
    if (this.#steps > MOST_STEPS) this.fail(new Error(`the run takes more than ${MOST_STEPS} steps`));
    if (this.trace.characters > MOST_CHARACTERS)
      this.fail(new Error(`requests and answers of the run have more than ${MOST_CHARACTERS} characters`));
  }

  /** machine.M1 and machine.M2. */
  #isHeldBack(event: Event): boolean {
    const { machine } = event;
    if (machine === undefined) return false;
    if (machine.isDead) return true;
    if (machine.frozenUntilMs <= this.#nowMs) return false;
    // The same object, so that it can still be cancelled; before what falls due at that instant, in the old order.
    const tie = event.dueMs - machine.frozenUntilMs + event.tie / 2;
    this.#agenda.push(Object.assign(event, { dueMs: machine.frozenUntilMs, tie }));
    return true;
  }
}
