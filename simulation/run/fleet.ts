/**
 * Runs seeds in processes of the operating system, one seed at a time in each. A seed that does not come to an end, or
 * ends its process, is a violation like any other.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Job, JobResult } from "./job.ts";

const WORKER = path.join(import.meta.dirname, "worker.ts");

/** A seed takes about a second; a machine under load is given more than a hundred times that. */
const LONGEST_MS = 300_000;

/** A process is replaced after so many seeds, so that what runtimes of dead machines leave behind does not add up. */
const SEEDS_PER_PROCESS = 200;

export interface FleetOptions {
  readonly processes: number;
  /** Flags of Node for the processes, beside those that every one has. */
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export class Fleet implements Disposable {
  readonly #options: FleetOptions;
  readonly #children = new Set<ChildProcess>();

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Results come as they are ready. Stops asking for jobs once `onResult` says so. */
  async run(jobs: Iterable<Job>, onResult: (result: JobResult) => "go on" | "stop"): Promise<void> {
    const queue = jobs[Symbol.iterator]();
    let isOver = false;
    const lane = async (): Promise<void> => {
      let child: ChildProcess | undefined;
      let served = 0;
      for (let next = queue.next(); !isOver && next.done !== true; next = queue.next()) {
        if (
          child === undefined ||
          child.exitCode !== null ||
          child.signalCode !== null ||
          served >= SEEDS_PER_PROCESS
        ) {
          this.#end(child);
          child = await this.#start();
          served = 0;
        }
        served++;
        if (onResult(await this.#perform(child, next.value)) === "stop") isOver = true;
      }
      this.#end(child);
    };
    await Promise.all(Array.from({ length: this.#options.processes }, lane));
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill("SIGKILL");
  }

  async #start(): Promise<ChildProcess> {
    const flags = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];
    const child = fork(WORKER, [], {
      execArgv: [...flags, ...(this.#options.nodeFlags ?? [])],
      serialization: "advanced",
      env: { ...process.env, ...this.#options.env },
    });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    const failed = once(child, "exit").then(([code]) => {
      throw new Error(`a process that runs seeds ended with ${code} before it was ready`);
    });
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
        done(failed(job, `did not come to an end within ${LONGEST_MS} ms of real time`));
      }, LONGEST_MS);
      const onExit = (code: number | null, signal: string | null): void =>
        done(failed(job, `ended its process: ${signal ?? `exit code ${code}`}`));
      const onMessage = (result: unknown): void => done(result as JobResult);
      const done = (result: JobResult): void => {
        clearTimeout(timer);
        child.off("exit", onExit);
        child.off("message", onMessage);
        resolve(result);
      };
      child.once("exit", onExit);
      child.once("message", onMessage);
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
    enabled: [],
    servers: 0,
    programs: 0,
    cpuMs: 0,
    trace: [],
  };
}
