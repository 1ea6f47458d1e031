/** The service of examples/agent as a process of its own, which tests kill and start again on the same file and port. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const PROGRAM = path.join(import.meta.dirname, "../../examples/agent/main.ts");
const FLAGS = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];

/** A run of a tool, as its system has noted it. */
export interface Ran {
  readonly what: string;
  readonly order: string;
  readonly callKey: string;
}

export class AgentProcess implements AsyncDisposable {
  readonly folder: string;
  readonly #tokenMs: number;
  #port = 0;
  #child: ChildProcess | undefined;

  private constructor(folder: string, tokenMs: number) {
    this.folder = folder;
    this.#tokenMs = tokenMs;
  }

  static async start(tokenMs: number): Promise<AgentProcess> {
    const folder = await mkdtemp(path.join(tmpdir(), "duroxide-agent-"));
    const made = new AgentProcess(folder, tokenMs);
    await made.start();
    return made;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  get storePath(): string {
    return path.join(this.folder, "agent.db");
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [...FLAGS, PROGRAM], {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        AGENT_DB: this.storePath,
        AGENT_LEDGER: path.join(this.folder, "ledger"),
        TOKEN_MS: String(this.#tokenMs),
        PORT: String(this.#port),
      },
    });
    this.#child = child;
    const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    this.#port = Number(new URL(String(line.value)).port);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    child?.kill("SIGKILL");
    if (child !== undefined && child.exitCode === null && child.signalCode === null)
      await once(child, "close");
  }

  async post(route: string, body: unknown, key: string): Promise<void> {
    const response = await fetch(`${this.address}api/${route}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
  }

  async ran(): Promise<readonly Ran[]> {
    const text = await readFile(path.join(this.folder, "ledger"), "utf8").catch(() => "");
    return text.trim() === ""
      ? []
      : text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Ran);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
