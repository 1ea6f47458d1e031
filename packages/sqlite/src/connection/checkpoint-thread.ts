/**
 * Copies the log into the database in a thread with a connection of its own, because a copy waits for the disk twice.
 *
 * - checkpoint-thread.CT1: The connection is open only during a copy, and that of the process is open all the time. So
 *   the thread never closes the last connection of a file, which would delete the log.
 * - checkpoint-thread.CT2: A copy that fails changes nothing. The next commit that SQLite syncs reports what is wrong.
 * - checkpoint-thread.CT3: A thread has its listeners from its start on, and one copy runs at a time, so that a process
 *   that copies for months adds none.
 */
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
  #running: Promise<void> | undefined;
  #ended: () => void = () => {};

  /** The thread starts with the first copy. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when the copy has ended, whatever came of it (checkpoint-thread.CT2). */
  async run(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = resolve;
    this.#running = promise;
    const thread = this.#thread ?? this.#start();
    thread.ref();
    thread.postMessage("copy");
    await promise;
    thread.unref();
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#thread?.terminate();
  }

  /** checkpoint-thread.CT3 */
  #start(): Worker {
    // Without the hooks and warnings that the flags of the process ask for.
    const thread = new Worker(PROGRAM, { eval: true, workerData: this.#path, execArgv: [] });
    thread.on("message", () => this.#ended());
    thread.on("error", () => this.#ended());
    thread.on("exit", () => {
      this.#thread = undefined;
      this.#ended();
    });
    this.#thread = thread;
    return thread;
  }
}
