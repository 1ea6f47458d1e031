/**
 * Notes of each process beside the store, so that they survive the process: when an activity began to run, when its
 * outcome was stored, and when the process stood still. One file for each process, written synchronously.
 */
import { openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import path from "node:path";

/** `began`: a run. `acked`: its outcome is stored. `abandoned`: it was given back. */
export type EventKind = "began" | "acked" | "abandoned";

/** Times are ms since the epoch. */
export interface ActivityEvent {
  readonly kind: EventKind;
  /** The activity: instance, execution and id. */
  readonly activity: string;
  readonly process: string;
  readonly atMs: number;
}

export interface Stall {
  readonly process: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Recorded {
  readonly events: readonly ActivityEvent[];
  readonly stalls: readonly Stall[];
}

type Line =
  | { readonly kind: EventKind; readonly activity: string; readonly atMs: number }
  | { readonly kind: "stalled"; readonly fromMs: number; readonly atMs: number };

/** How often a process reads the clock, and how late it may be before it counts as having stood still. */
const LOOK_EVERY_MS = 50;
const STALL_MS = 250;

/** Notes the events and stalls of this process. */
export class SideLog {
  readonly #file: number;

  constructor(folder: string) {
    this.#file = openSync(path.join(folder, `${process.pid}-${Date.now()}.log`), "a");
    let lastMs = Date.now();
    setInterval(() => {
      const atMs = Date.now();
      if (atMs - lastMs > STALL_MS) this.#write({ kind: "stalled", fromMs: lastMs, atMs });
      lastMs = atMs;
    }, LOOK_EVERY_MS).unref();
  }

  event(kind: EventKind, activity: string): void {
    this.#write({ kind, activity, atMs: Date.now() });
  }

  #write(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** Reads the logs of all processes that wrote into the folder. */
export function readSideLogs(folder: string): Recorded {
  const events: ActivityEvent[] = [];
  const stalls: Stall[] = [];
  for (const file of readdirSync(folder)) {
    for (const line of linesOf(path.join(folder, file))) {
      if (line.kind === "stalled") stalls.push({ process: file, fromMs: line.fromMs, toMs: line.atMs });
      else events.push({ ...line, process: file });
    }
  }
  return { events, stalls };
}

/** The last line of a process that was killed may be half. */
function linesOf(file: string): Line[] {
  const whole = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return whole.map((line) => JSON.parse(line) as Line);
}
