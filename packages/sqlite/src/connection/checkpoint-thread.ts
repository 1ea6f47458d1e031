/**
 * Copies the log into the database in a thread with a connection of its own, because a copy waits for the disk twice.
 *
 * - checkpoint-thread.CT1: The connection is open only during a copy, and that of the process is open all the time. So
 *   the thread never closes the last connection of a file, which would delete the log.
 * - checkpoint-thread.CT2: A copy that fails changes nothing. The next commit that SQLite syncs reports what is wrong.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A text and no file, so that bundlers need not know of it. */
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
process.removeAllListeners("warning");
const { DatabaseSync } = require("node:sqlite");
parentPort.on("message", () => {
  try {
    const db = new DatabaseSync(workerData);
    try {
      db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } finally {
      db.close();
    }
  } catch {}
  parentPort.postMessage("done");
});
`;

export class CheckpointThread {
  readonly #path: string;
  #thread: Worker | undefined;
  #running: Promise<unknown> | undefined;

  /** The thread starts with the first copy. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when the copy has ended, whatever came of it (checkpoint-thread.CT2). */
  async run(): Promise<void> {
    this.#thread ??= this.#start();
    this.#running = Promise.race([once(this.#thread, "message"), once(this.#thread, "exit")]).catch(() => {});
    this.#thread.ref();
    this.#thread.postMessage("copy");
    await this.#running;
    this.#thread?.unref();
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#thread?.terminate();
    this.#thread = undefined;
  }

  #start(): Worker {
    // Without the hooks and warnings that the flags of the process ask for.
    const thread = new Worker(PROGRAM, { eval: true, workerData: this.#path, execArgv: [] });
    thread.once("exit", () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }
}
