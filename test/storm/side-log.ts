/**
 * Logs of what each process did, independent of the store: one JSON line for each entry, written before the next step,
 * so that it is there when the process is killed. Files are named after their process.
 */
import { openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";

export type Entry =
  /** An activity begins and ends, and its outcome is stored. `key` is the same for all runs of the activity. */
  | {
      readonly kind: "begin" | "end" | "stored";
      readonly atMs: number;
      readonly instance: string;
      readonly key: string;
    }
  /** The event loop is about to be blocked for `ms`. */
  | { readonly kind: "block"; readonly atMs: number; readonly instance: string; readonly ms: number }
  /** The process is about to be ended by a handler. */
  | {
      readonly kind: "killer";
      readonly atMs: number;
      readonly instance: string;
      readonly by: "activity" | "turn";
    }
  /** No thread of the process ran for `ms`, from `atMs` on. */
  | { readonly kind: "stall"; readonly atMs: number; readonly ms: number };

/** Entry with the process that wrote it. */
export type Noted = Entry & { readonly process: string };

type Unstamped<T> = T extends Entry ? Omit<T, "atMs"> : never;

/** Orchestration code is not allowed to ask for the time. The handlers of a soak write it down all the same. */
const { now } = Date;

const ENDING = ".log";

export class SideLog {
  readonly #file: number;

  constructor(folder: string, process: string) {
    this.#file = openSync(path.join(folder, `${process}${ENDING}`), "a");
  }

  note(entry: Unstamped<Entry>, atMs: number = now()): void {
    writeSync(this.#file, `${JSON.stringify({ ...entry, atMs })}\n`);
  }
}

/** Opens the log of this process, and notes its stalls. */
export function openSideLog(folder: string, process: string): SideLog {
  new Worker(path.join(import.meta.dirname, "stall-watch.ts"), { workerData: { folder, process } }).unref();
  return new SideLog(folder, process);
}

/** Reads the logs of all processes, in the order of time. A line that its process could not finish is left out. */
export function readSideLogs(folder: string): readonly Noted[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(ENDING));
  return files
    .flatMap((file) => {
      const process = file.slice(0, -ENDING.length);
      const lines = readFileSync(path.join(folder, file), "utf8").split("\n").slice(0, -1);
      return lines.map((line): Noted => ({ ...(JSON.parse(line) as Entry), process }));
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}
