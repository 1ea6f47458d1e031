/** The engine's hold on one interpreter thread: starts it, lends its line, ends it. */
import { once } from "node:events";
import path from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { Channel, type EngineLine, newControl } from "./channel.ts";
import type { ScriptWorkerData } from "./script-worker.ts";

/** Recursion inside QuickJS must meet QuickJS's limit (sandbox.ts) before it meets the end of the thread's stack. */
const THREAD_STACK_MB = 16;

/** A thread takes 50 ms to start; this long only where it never will. */
const START_MS = 10_000;

export class ScriptThread {
  readonly line: EngineLine;
  readonly #worker: Worker;

  constructor(memoryBytes: number) {
    const { port1, port2 } = new MessageChannel();
    const control = newControl();
    const workerData: ScriptWorkerData = { port: port2, control, memoryBytes };
    // The compiler does not rewrite this path: sources lead to the source, the build to the build.
    const file = new URL(`script-worker${path.extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(file, {
      workerData,
      transferList: [port2],
      env: {},
      resourceLimits: { stackSizeMb: THREAD_STACK_MB },
    });
    // The waiting caller detects a dead thread by its silence; without a listener the whole process would end.
    this.#worker.on("error", () => undefined);
    this.#worker.unref();
    this.line = new Channel("engine", port1, control);
  }

  /** Resolves when the thread can take scripts; rejects with the reason if it cannot start. */
  async ready(): Promise<void> {
    this.#worker.ref();
    await once(this.#worker, "message");
    this.#worker.unref();
  }

  /** Blocks until the thread can take scripts; false if it cannot start. */
  waitUntilReady(): boolean {
    return this.line.waitUntilReady(START_MS);
  }

  /** Ends the thread, whatever it is doing. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
