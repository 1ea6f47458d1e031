/**
 * Processes that run limited work, are killed and stand still, and what their handlers have written: how many ran at the
 * same time, by the clocks of the handlers in one file.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const WORKER = fileURLToPath(new URL("./limited-worker.ts", import.meta.url));

/** Children run the sources as they are, which older versions of Node cannot. */
export const CAN_RUN_SOURCES: boolean = Number(process.versions.node.split(".")[0]) >= 24;

export interface FleetSize {
  /** Duration of a call and of a lock, ms. */
  readonly callMs: number;
  readonly lockMs: number;
  /** Activities that a process runs at the same time. */
  readonly slots: number;
}

/** A store that each process of a fleet opens. */
export interface FleetStore {
  readonly name: `sqlite:${string}` | `cosmos:${string}/${string}`;
  /** Variables of the environment that say which account. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Entry {
  readonly atMs: number;
  readonly what: "begin" | "end";
  readonly run: string;
  readonly key: string;
  readonly process: string;
}

/** A time from which what a process still runs does not count: it was killed, or stands still beyond its locks. */
export interface Stop {
  readonly process: string;
  readonly atMs: number;
}

export class Fleet {
  readonly stops: Stop[] = [];
  readonly #children = new Map<string, ChildProcess>();
  readonly #store: FleetStore;
  readonly #log: string;
  readonly #size: FleetSize;
  #started = 0;

  constructor(store: FleetStore, log: string, size: FleetSize) {
    this.#store = store;
    this.#log = log;
    this.#size = size;
  }

  async start(): Promise<void> {
    const name = `p${this.#started++}`;
    const { callMs, lockMs, slots } = this.#size;
    const child = spawn(
      process.execPath,
      [
        "--conditions=@duroxide-ts/source",
        "--no-warnings",
        WORKER,
        this.#store.name,
        this.#log,
        name,
        String(callMs),
        String(lockMs),
        String(slots),
      ],
      { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...this.#store.env } },
    );
    this.#children.set(name, child);
    await once(child.stdout ?? child, "data");
  }

  /** Kills one process and starts another, or lets one stand still for longer than its locks. */
  async trouble(round: number): Promise<void> {
    const names = [...this.#children.keys()];
    const name = names[round % names.length] ?? "";
    const child = this.#children.get(name);
    if (round % 2 === 0) {
      child?.kill("SIGKILL");
      this.stops.push({ process: name, atMs: Date.now() });
      this.#children.delete(name);
      await this.start();
      return;
    }
    child?.kill("SIGSTOP");
    this.stops.push({ process: name, atMs: Date.now() });
    await setTimeout(1.5 * this.#size.lockMs);
    child?.kill("SIGCONT");
  }

  async end(): Promise<void> {
    const children = [...this.#children.values()];
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(
      children.filter((child) => child.exitCode === null).map((child) => once(child, "exit")),
    );
  }
}

export function entriesOf(log: string): readonly Entry[] {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Entry);
}

/** The most that ran at the same time, of the key or of all, and the share of the limit that was used. */
export function usage(
  entries: readonly Entry[],
  stops: readonly Stop[],
  { lockMs }: Pick<FleetSize, "lockMs">,
  keys: (key: string) => boolean,
): { readonly most: number; readonly usedMs: number } {
  const ends = new Map(entries.filter(({ what }) => what === "end").map(({ run, atMs }) => [run, atMs]));
  const marks = entries
    .filter(({ what, key }) => what === "begin" && keys(key))
    .flatMap(({ run, atMs, process }) => {
      const stopped = stops.find((stop) => stop.process === process && stop.atMs >= atMs)?.atMs ?? Infinity;
      // A process that gets no time on a busy machine stands still too: it has lost what it ran for longer than a lock.
      const endMs = Math.min(ends.get(run) ?? Infinity, stopped, atMs + lockMs);
      return [
        { atMs, change: 1 },
        { atMs: endMs, change: -1 },
      ];
    })
    // What ends at an instant ends before what begins at it.
    .sort((a, b) => a.atMs - b.atMs || a.change - b.change);
  let running = 0;
  let most = 0;
  let usedMs = 0;
  let lastMs = marks[0]?.atMs ?? 0;
  for (const { atMs, change } of marks) {
    if (atMs !== Infinity) usedMs += running * (atMs - lastMs);
    lastMs = Math.min(atMs, Number.MAX_SAFE_INTEGER);
    running += change;
    most = Math.max(most, running);
  }
  return { most, usedMs };
}
