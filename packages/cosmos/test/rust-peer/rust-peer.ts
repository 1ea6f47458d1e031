/** The program of this folder that is written in Rust, as a worker in a process of its own and as a client. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Place } from "./place.ts";

/** Path of the program, if it was built. */
const RUST_PEER = process.env["DUROXIDE_RUST_PEER"];

/** True, and says so, where the program was not built. */
export function withoutRust(): boolean {
  if (RUST_PEER) return false;
  process.stderr.write(
    "Skipped: a Rust process on our container, because DUROXIDE_RUST_PEER names none (packages/cosmos/test/rust-peer/README.md).\n",
  );
  return true;
}

/** Options of its command `serve` (`src/serve.rs`). */
export interface RustWorkerOptions {
  readonly orchestrations?: number;
  readonly activities?: number;
  readonly leaseMs?: number;
  /** "default", "any", "none", or a tag. */
  readonly tags?: string;
  /** The place in its programs at which it hangs. */
  readonly hangsIn?: "greet" | "relay";
}

/** The process of a worker. */
export function spawnRustWorker(place: Place, options: RustWorkerOptions): ChildProcessWithoutNullStreams {
  const parameters = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  return spawn(program(), ["serve", ...parameters], { env: environmentOf(place) });
}

/** A worker that serves until it is killed. */
export class RustWorker implements AsyncDisposable {
  readonly #process;
  readonly #ended: Promise<unknown>;
  /** The lines of its output that the test has not read yet. */
  readonly #said: AsyncIterator<string>;
  #log = "";

  private constructor(place: Place, options: RustWorkerOptions) {
    this.#process = spawnRustWorker(place, options);
    this.#ended = once(this.#process, "close");
    this.#said = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
    this.#process.stderr.on("data", (text) => {
      this.#log += String(text);
    });
  }

  /** Resolves when it serves. */
  static async serve(place: Place, options: RustWorkerOptions = {}): Promise<RustWorker> {
    const worker = new RustWorker(place, options);
    await worker.says("serves");
    return worker;
  }

  /** Resolves when it says this, and nothing else before. */
  async says(line: string): Promise<void> {
    const { value } = await this.#said.next();
    if (value !== line) throw new Error(`it said ${value} instead of "${line}"; ${this.#log}`);
  }

  /** Lets it go on from where it hangs. */
  goOn(): void {
    this.#process.stdin.write("go on\n");
  }

  /** It stops where it is, and comes back with `thaw`. */
  freeze(): void {
    this.#process.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process.kill("SIGCONT");
  }

  /** Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  /** Resolves when its log contains this. */
  async logs(text: string): Promise<void> {
    while (!this.#log.includes(text)) await once(this.#process.stderr, "data");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** One call of Rust's client (`src/client.rs`), and what it prints. */
export async function rustClient(place: Place, ...call: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program(), call, { env: environmentOf(place) });
  return stdout.trimEnd();
}

function program(): string {
  if (!RUST_PEER) throw new Error("DUROXIDE_RUST_PEER does not name the program; build it first");
  return RUST_PEER;
}

function environmentOf({ endpoint, key, database, container }: Place): NodeJS.ProcessEnv {
  return {
    ...process.env,
    COSMOSDB_ENDPOINT: endpoint,
    COSMOSDB_KEY: key,
    COSMOSDB_DATABASE: database,
    COSMOSDB_CONTAINER: container,
  };
}
