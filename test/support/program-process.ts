/** A program of the tests in a process of its own, which can be killed. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

const FROM_SOURCE = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];

/** Number of characters that `lastWords` shows. */
const MOST_WORDS = 1_000;

/** A process that was started to be killed. */
export class RunningProcess {
  readonly process: ChildProcess;
  /** Resolves when it is gone. */
  readonly ended: Promise<void>;
  #complaints = "";

  constructor(process: ChildProcess) {
    this.process = process;
    this.ended = once(process, "close").then(() => {});
    process.stderr?.on("data", (text) => {
      if (this.#complaints.length < MOST_WORDS) this.#complaints += String(text);
    });
  }

  /** SIGKILL cannot be caught: it finishes and saves nothing. */
  kill(): void {
    this.process.kill("SIGKILL");
  }

  /** It does nothing until it is thawed, and does not notice. */
  freeze(): void {
    this.process.kill("SIGSTOP");
  }

  thaw(): void {
    this.process.kill("SIGCONT");
  }

  get wasKilled(): boolean {
    return this.process.signalCode === "SIGKILL";
  }

  /** How it ended, and the beginning of what it had to say. */
  get lastWords(): string {
    const { signalCode, exitCode } = this.process;
    return `${signalCode ?? exitCode}: ${this.#complaints.trim().slice(0, MOST_WORDS)}`;
  }
}

export class ProgramProcess extends RunningProcess {
  constructor(file: string, args: readonly string[] = []) {
    super(fork(file, args, { execArgv: FROM_SOURCE, stdio: ["ignore", "ignore", "pipe", "ipc"] }));
  }
}
