/**
 * The progress of a change of many instances, in a file of the user's. The same command goes on there after its process
 * was ended; the file is removed when the command comes to its end.
 *
 * - journal.J1: A line is written before an instance is changed (`+`) and after it (`-`), by calls that the system has
 *   completed when they return: what a killed process did is there, all but at most the changes that were under way.
 * - journal.J2: The name of the file is a digest of the command: the verb, the store, the instances or their filter,
 *   and the flags that say what is done. Another command has another file.
 * - journal.J3: A file that was not written for 12 hours is begun anew: a nightly command means the instances of its
 *   night.
 */
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { usage } from "../errors/exit-code.ts";

/** The parts of a command of which its file is named (journal.J2). */
export interface JournalKey {
  readonly verb: string;
  readonly store: string;
  /** The ids, or nothing where a filter chooses. */
  readonly ids: readonly string[] | undefined;
  readonly flags: Readonly<Record<string, unknown>>;
}

const LONGEST_PAUSE_MS = 12 * 3_600_000;
const NOT_PART: ReadonlySet<string> = new Set([
  "yes",
  "dry-run",
  "output",
  "no-color",
  "config",
  "store",
  "anew",
  "by",
]);

export class Journal implements Disposable {
  readonly #file: string;
  readonly #fd: number;
  /** Changed by an earlier call. */
  readonly done = new Set<string>();
  /** Under way when the earlier call ended: they may be changed, or not. */
  readonly unsure = new Set<string>();
  #isOver = false;

  /** `anew` ignores an earlier call. Throws a `CommandError` while the same command runs. */
  constructor(folder: string, key: JournalKey, nowMs: number, { anew }: { readonly anew: boolean }) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = path.join(folder, `${digestOf(key)}.journal`);
    if (!anew) this.#read(nowMs);
    const goesOn = this.done.size + this.unsure.size > 0;
    this.#fd = openSync(this.#file, goesOn ? "a" : "w", 0o600);
    writeSync(this.#fd, `!${process.pid}\n`);
  }

  begin(id: string): void {
    writeSync(this.#fd, `+${JSON.stringify(id)}\n`);
  }

  end(id: string): void {
    writeSync(this.#fd, `-${JSON.stringify(id)}\n`);
  }

  /** All were looked at: there is nothing to go on with. */
  over(): void {
    this.#isOver = true;
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
    if (this.#isOver) rmSync(this.#file, { force: true });
  }

  #read(nowMs: number): void {
    const text = textOf(this.#file, nowMs);
    let pid: number | undefined;
    // A line without its end was cut off with the process.
    for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
      const [mark, rest] = [line[0], line.slice(1)];
      if (mark === "!") pid = Number(rest);
      else if (mark === "+") this.unsure.add(JSON.parse(rest) as string);
      else if (mark === "-") {
        const id = JSON.parse(rest) as string;
        this.unsure.delete(id);
        this.done.add(id);
      }
    }
    if (pid !== undefined) refuseIfRunning(pid);
  }
}

function textOf(file: string, nowMs: number): string {
  try {
    return nowMs - statSync(file).mtimeMs > LONGEST_PAUSE_MS ? "" : readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The number may belong to another program by now, so there is a way past. */
function refuseIfRunning(pid: number): void {
  if (pid === process.pid) return;
  try {
    process.kill(pid, 0);
  } catch {
    return;
  }
  throw usage(`The same command runs already, in process ${pid}`, "if it does not, --anew begins again");
}

function digestOf({ verb, store, ids, flags }: JournalKey): string {
  const said = Object.entries(flags).filter(([name, value]) => value !== undefined && !NOT_PART.has(name));
  const parts = [verb, store, ids ?? null, said.sort(([a], [b]) => (a < b ? -1 : 1))];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
}
