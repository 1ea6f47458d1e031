/** The processes that serve. Each that ends, for whatever reason, is started again under a new name. */
import type { RunningProcess } from "../support/program-process.ts";
import { HeldResources } from "./resources.ts";

/** Time before a process is started again, ms. */
const RESTART_AFTER_MS = 200;

export interface Death {
  readonly process: string;
  readonly atMs: number;
  /** Whether `kill` ended it. */
  readonly wasKilled: boolean;
  /** How it ended, and what it wrote to stderr. */
  readonly lastWords: string;
}

export interface Freeze {
  readonly process: string;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Seat {
  readonly name: string;
  readonly process: RunningProcess;
  /** Whether it has got so far as to take work. */
  isServing: boolean;
  readonly ended: Promise<void>;
}

/** Starts the process of a seat, from 0 on, under a name of its own. */
type Start = (seat: number, name: string) => RunningProcess;

export class Processes implements AsyncDisposable {
  readonly deaths: Death[] = [];
  readonly freezes: Freeze[] = [];
  /** Resources of which a process held more and more. */
  readonly growth: string[] = [];
  /** Time at which one was killed, frozen or thawed last, ms since the epoch. */
  troubledAtMs: number | undefined;
  readonly #startProcess: Start;
  readonly #seats: (Seat | undefined)[] = [];
  readonly #killed = new Set<string>();
  readonly #frozen = new Map<string, number>();
  #starts = 0;
  #isClosing = false;

  constructor(count: number, start: Start) {
    this.#startProcess = start;
    for (let seat = 0; seat < count; seat++) this.#start(seat);
  }

  /** Descriptions of those that ended by themselves, and of what grew in any. */
  get breakdowns(): readonly string[] {
    const own = this.deaths.filter(({ wasKilled }) => !wasKilled);
    return [...own.map(({ lastWords }) => `a process broke down, ${lastWords}`), ...this.growth];
  }

  /** SIGKILL. Another process follows. */
  kill(seat: number): void {
    const taken = this.#seats[seat];
    if (taken === undefined) return;
    this.#killed.add(taken.name);
    taken.process.kill();
    this.troubledAtMs = Date.now();
  }

  /** SIGSTOP, until it is thawed. */
  freeze(seat: number): void {
    const taken = this.#seats[seat];
    if (taken === undefined || this.#frozen.has(taken.name)) return;
    this.troubledAtMs = Date.now();
    this.#frozen.set(taken.name, this.troubledAtMs);
    taken.process.freeze();
  }

  /** Seats whose process takes work: it has started, and is not frozen. On a slow machine a start takes its time. */
  get serving(): readonly number[] {
    return [...this.#seats.keys()].filter((seat) => {
      const taken = this.#seats[seat];
      return taken?.isServing === true && !this.#frozen.has(taken.name);
    });
  }

  /** SIGCONT, for all or one. */
  thaw(seat?: number): void {
    for (const taken of seat === undefined ? this.#seats : [this.#seats[seat]]) {
      const fromMs = this.#frozen.get(taken?.name ?? "");
      if (taken === undefined || fromMs === undefined) continue;
      taken.process.thaw();
      this.#frozen.delete(taken.name);
      this.troubledAtMs = Date.now();
      this.freezes.push({ process: taken.name, fromMs, toMs: this.troubledAtMs });
    }
  }

  #start(seat: number): void {
    const name = `p${seat}-${this.#starts++}`;
    const process = this.#startProcess(seat, name);
    const held = new HeldResources(process.process);
    const ended = process.ended.then(() => {
      this.growth.push(...held.growth);
      this.#bury(seat, name, process);
    });
    // A program in Rust does not say when it has started.
    const taken: Seat = { name, process, ended, isServing: !process.process.connected };
    process.process.once("message", () => {
      taken.isServing = true;
    });
    this.#seats[seat] = taken;
  }

  #bury(seat: number, name: string, process: RunningProcess): void {
    if (this.#isClosing) return;
    this.#seats[seat] = undefined;
    const wasKilled = this.#killed.has(name);
    this.deaths.push({ process: name, atMs: Date.now(), wasKilled, lastWords: process.lastWords });
    const frozenAtMs = this.#frozen.get(name);
    if (frozenAtMs !== undefined) this.freezes.push({ process: name, fromMs: frozenAtMs, toMs: Date.now() });
    this.#frozen.delete(name);
    setTimeout(() => {
      if (!this.#isClosing) this.#start(seat);
    }, RESTART_AFTER_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    for (const taken of this.#seats) taken?.process.kill();
    await Promise.all(this.#seats.map((taken) => taken?.ended));
  }
}
