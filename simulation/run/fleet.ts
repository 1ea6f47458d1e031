/**
 * Runs seeds in processes of the operating system, one seed at a time in each. A seed that does not come to an end, or
 * ends its process, is a violation like any other.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { StoreName } from "../settings.ts";
import { ALIVE, type Job, type JobResult } from "./job.ts";

const WORKER = path.join(import.meta.dirname, "worker.ts");

/** Longest silence of a process that runs a seed. It sends a message every hundred steps, about fifty milliseconds. */
const LONGEST_SILENCE_MS = 300_000;

/**
 * A process is replaced after so many seeds, so that what runtimes of dead machines leave behind does not add up. SQLite
 * as WebAssembly is out of memory after some 850 seeds.
 */
const SEEDS_PER_PROCESS: Readonly<Record<StoreName, number>> = { cosmos: 1_000, sqlite: 200 };

export interface FleetOptions {
  readonly processes: number;
  /** Flags of Node for the processes, beside those that every one has. */
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the id of each process once it is forked. */
  readonly onProcess?: (pid: number) => void;
}

/** How often in a row a process may end before it is ready. */
const MOST_STARTS = 3;

export class Fleet implements Disposable {
  readonly #options: FleetOptions;
  readonly #children = new Set<ChildProcess>();
  #isDisposed = false;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /**
   * Results come as they are ready. Stops asking for jobs once `onResult` says so. A process that ends is replaced, and
   * its seed is a violation; rejects where no process can be started, and then no further job is begun.
   */
  async run(jobs: Iterable<Job>, onResult: (result: JobResult) => "go on" | "stop"): Promise<void> {
    const queue = jobs[Symbol.iterator]();
    let isOver = false;
    const lane = async (): Promise<void> => {
      let child: ChildProcess | undefined;
      let served = 0;
      for (let next = queue.next(); !isOver && !this.#isDisposed && next.done !== true; next = queue.next()) {
        if (
          child === undefined ||
          child.exitCode !== null ||
          child.signalCode !== null ||
          served >= SEEDS_PER_PROCESS[next.value.store]
        ) {
          this.#end(child);
          child = await this.#started();
          served = 0;
        }
        served++;
        if (onResult(await this.#perform(child, next.value)) === "stop") isOver = true;
      }
      this.#end(child);
    };
    const stopAll = (error: unknown): never => {
      isOver = true;
      throw error;
    };
    await Promise.all(Array.from({ length: this.#options.processes }, () => lane().catch(stopAll)));
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const child of this.#children) child.kill("SIGKILL");
  }

  async #started(): Promise<ChildProcess> {
    for (let starts = 1; ; starts++) {
      try {
        return await this.#start();
      } catch (error) {
        if (starts >= MOST_STARTS || this.#isDisposed) throw error;
      }
    }
  }

  async #start(): Promise<ChildProcess> {
    const flags = [
      "--conditions=@duroxide-ts/source",
      "--disable-warning=ExperimentalWarning",
      // A seed allocates much that is soon of no use.
      "--max-semi-space-size=64",
    ];
    const child = fork(WORKER, [], {
      execArgv: [...flags, ...(this.#options.nodeFlags ?? [])],
      serialization: "advanced",
      env: { ...process.env, ...this.#options.env },
    });
    this.#children.add(child);
    // A message to a process that has just ended fails; its exit says so too.
    child.on("error", () => {});
    child.once("exit", () => this.#children.delete(child));
    const failed = once(child, "exit").then(([code, signal]) => {
      throw new Error(`a process that runs seeds ended with ${signal ?? code} before it was ready`);
    });
    if (child.pid !== undefined) this.#options.onProcess?.(child.pid);
    failed.catch(() => {});
    await Promise.race([once(child, "message"), failed]);
    return child;
  }

  #end(child: ChildProcess | undefined): void {
    child?.kill("SIGKILL");
  }

  #perform(child: ChildProcess, job: Job): Promise<JobResult> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        done(failed(job, `one step did not come to an end within ${LONGEST_SILENCE_MS} ms of real time`));
      }, LONGEST_SILENCE_MS);
      const onExit = (code: number | null, signal: string | null): void =>
        done(failed(job, `ended its process: ${signal ?? `exit code ${code}`}`));
      const onMessage = (message: unknown): void => {
        if (message === ALIVE) timer.refresh();
        else done(message as JobResult);
      };
      const done = (result: JobResult): void => {
        clearTimeout(timer);
        child.off("exit", onExit);
        child.off("message", onMessage);
        resolve(result);
      };
      child.once("exit", onExit);
      child.on("message", onMessage);
      child.send(job);
    });
  }
}

function failed({ seed }: Job, violation: string): JobResult {
  return {
    seed,
    violations: [violation],
    digest: "",
    steps: 0,
    virtualMs: 0,
    orchestrations: 0,
    activityRuns: 0,
    faults: [],
    calls: [],
    enabled: [],
    servers: 0,
    programs: 0,
    cpuMs: 0,
    trace: [],
  };
}
