/** The processes of the soak. Each that ends, for whatever reason, is started again under a new name. */
import path from "node:path";
import { ProgramProcess } from "../../support/program-process.ts";
import type { Deployment, WorkerSettings } from "../settings.ts";

const PROGRAM = path.join(import.meta.dirname, "../worker/worker.ts");

/** Time before a process is started again, ms. */
const RESTART_AFTER_MS = 200;

export interface Death {
  readonly process: string;
  readonly atMs: number;
  /** Whether the soak itself killed it. */
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
  readonly process: ProgramProcess;
  /** Whether it has got so far as to take work. */
  isServing: boolean;
  readonly ended: Promise<void>;
}

export type CommonSettings = Omit<WorkerSettings, "name" | "deployment">;

export class Supervisor implements AsyncDisposable {
  readonly deaths: Death[] = [];
  readonly freezes: Freeze[] = [];
  readonly #settings: CommonSettings;
  readonly #deployments: Deployment[];
  readonly #seats: (Seat | undefined)[] = [];
  readonly #killed = new Set<string>();
  readonly #frozen = new Map<string, number>();
  #starts = 0;
  #isClosing = false;

  constructor(settings: CommonSettings, processes: number) {
    this.#settings = settings;
    this.#deployments = Array.from({ length: processes }, () => "right");
    for (let seat = 0; seat < processes; seat++) this.#start(seat);
  }

  get size(): number {
    return this.#deployments.length;
  }

  /** SIGKILL. Another process follows. */
  kill(seat: number): void {
    const taken = this.#seats[seat];
    if (taken === undefined) return;
    this.#killed.add(taken.name);
    taken.process.kill();
  }

  /** Another process follows, with this code. */
  deploy(seat: number, deployment: Deployment): void {
    this.#deployments[seat] = deployment;
    this.kill(seat);
  }

  /** SIGSTOP, until it is thawed. */
  freeze(seat: number): void {
    const taken = this.#seats[seat];
    if (taken === undefined || this.#frozen.has(taken.name)) return;
    this.#frozen.set(taken.name, Date.now());
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
      this.freezes.push({ process: taken.name, fromMs, toMs: Date.now() });
    }
  }

  #start(seat: number): void {
    const name = `p${seat}-${this.#starts++}`;
    const settings: WorkerSettings = {
      ...this.#settings,
      name,
      deployment: this.#deployments[seat] ?? "right",
    };
    const process = new ProgramProcess(PROGRAM, [JSON.stringify(settings)]);
    const ended = process.ended.then(() => this.#bury(seat, name, process));
    const taken: Seat = { name, process, ended, isServing: false };
    process.process.once("message", () => {
      taken.isServing = true;
    });
    this.#seats[seat] = taken;
  }

  #bury(seat: number, name: string, process: ProgramProcess): void {
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
