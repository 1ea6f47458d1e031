/** Runs a program in a worker thread, so that the event loop of the process stays free for locks and commits. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * Runs the program in a thread and resolves with its first message. `program` reads its input as `workerData`. An abort
 * of the signal ends the thread at once, in the middle of its computation, and rejects; so does an error that the
 * program throws.
 */
export async function inThread<Result>(program: URL, input: unknown, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const worker = new Worker(program, { workerData: input });
  // An error that comes after the abort has no receiver, and must not end the process.
  worker.on("error", () => {});
  const ended = once(worker, "exit", { signal }).then(([code]): never => {
    throw new Error(`the thread ended with code ${code} before it posted a result`);
  });
  try {
    const [result] = await Promise.race([once(worker, "message", { signal }), ended]);
    return result as Result;
  } finally {
    await worker.terminate();
  }
}
