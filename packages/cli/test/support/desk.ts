/**
 * A store with instances in every state, and the command beside it. On SQLite and on the local endpoint of Cosmos DB;
 * the instances ran in this process, and no runtime runs any more unless a test starts one.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client, type Provider, Runtime, silentLogger, sleep, systemClock } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe } from "vitest";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import { shared } from "../../../../test/support/shared.ts";
import { ACTIVITIES, ORCHESTRATIONS } from "./programs.ts";
import { runHere } from "./run-here.ts";
import { type ProcessOptions, type Run, type RunOptions, runProcess } from "./run-process.ts";

export const EVIL = "evil\u001b[2J\u202e שלום";

/** The instances of `Desk.open`, by state. */
export const IDS = {
  waiting: "order-1",
  failed: "order-2",
  completed: "order-3",
  cancelled: "order-4",
  retrying: "slow-1",
  parent: "box-1",
  child: "box-1-pack",
  evil: EVIL,
} as const;

type Kind = "sqlite" | "cosmos";

export class Desk implements AsyncDisposable {
  readonly kind: Kind;
  readonly folder: string;
  readonly provider: Provider;
  readonly client: Client;
  readonly env: Readonly<Record<string, string>>;
  readonly #emulator: CosmosEmulator | undefined;

  private constructor(parts: Pick<Desk, "kind" | "folder" | "provider" | "env">, emulator?: CosmosEmulator) {
    this.kind = parts.kind;
    this.folder = parts.folder;
    this.provider = parts.provider;
    this.env = parts.env;
    this.client = new Client(parts.provider, { logger: silentLogger });
    this.#emulator = emulator;
  }

  /** Opens a desk; with `empty`, no instance is started. */
  static async open(kind: Kind, { empty = false } = {}): Promise<Desk> {
    const folder = await mkdtemp(path.join(tmpdir(), "duroxide-cli-"));
    const desk = kind === "sqlite" ? await Desk.#onSqlite(folder) : await Desk.#onCosmos(folder);
    if (!empty) await desk.#seed();
    return desk;
  }

  static async #onSqlite(folder: string): Promise<Desk> {
    const file = path.join(folder, "store.db");
    const provider = await SqliteProvider.open(file);
    return new Desk({ kind: "sqlite", folder, provider, env: { DUROXIDE_STORE: `sqlite:${file}` } });
  }

  static async #onCosmos(folder: string): Promise<Desk> {
    const emulator = await CosmosEmulator.start({ port: 0 });
    const { connectionString, endpoint, key } = emulator;
    const provider = await CosmosProvider.connect({ connectionString, onWarning: () => {} });
    const env = { DUROXIDE_STORE: `cosmos:${new URL(endpoint).origin}/duroxide/duroxide`, COSMOSDB_KEY: key };
    return new Desk({ kind: "cosmos", folder, provider, env }, emulator);
  }

  /** The command, in this process; in a process of its own where the tests run whole. */
  cli(words: readonly string[], options: RunOptions = {}): Promise<Run> {
    const run = IS_DEEP ? runProcess : runHere;
    return run(words, this.#here(options));
  }

  /** The command in a process of its own in every run. */
  process(words: readonly string[], options: ProcessOptions = {}): Promise<Run> {
    return runProcess(words, this.#here(options));
  }

  #here<Options extends ProcessOptions>(options: Options): Options {
    return { ...options, folder: options.folder ?? this.folder, env: { ...this.env, ...options.env } };
  }

  /** Parses the output of `-o json`. */
  async json<T = unknown>(words: readonly string[]): Promise<T> {
    const { stdout, stderr } = await this.cli([...words, "-o", "json"]);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as T;
  }

  /** Runs the instances of the store until it is shut down. */
  runtime(): Promise<Runtime> {
    return Runtime.start({
      provider: this.provider,
      orchestrations: ORCHESTRATIONS,
      activities: ACTIVITIES,
      logger: silentLogger,
    });
  }

  /** Polls until the condition holds. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await sleep(systemClock, 20);
  }

  /** Polls until the timeline of the instance has so many. */
  untilHas(id: string, what: "waits" | "setAside", count: number): Promise<void> {
    return this.until(async () => {
      const timeline = await this.client.admin.timeline(id).catch(() => undefined);
      return timeline?.[what].length === count;
    });
  }

  async #seed(): Promise<void> {
    const runtime = await this.runtime();
    const { client } = this;
    await client.start("checkout", { instanceId: IDS.waiting, input: 10 });
    await client.start("checkout", { instanceId: IDS.failed, input: 2_000 });
    await client.start("checkout", { instanceId: IDS.completed, input: 30 });
    await client.start("checkout", { instanceId: IDS.cancelled, input: 40 });
    await client.start("patient", { instanceId: IDS.retrying });
    await client.start("parent", { instanceId: IDS.parent });
    await client.start("checkout", { instanceId: IDS.evil, input: 50 });
    const waits = (id: string, kind: string) => async () =>
      (await client.admin.timeline(id).catch(() => undefined))?.waits.some((wait) => wait.kind === kind) ===
      true;
    const pauses = async () =>
      (await client.admin.timeline(IDS.retrying)).waits.some(
        ({ nextRetryAtMs }) => nextRetryAtMs !== undefined,
      );
    for (const id of [IDS.waiting, IDS.completed, IDS.cancelled, IDS.evil, IDS.child])
      await this.until(waits(id, "event"));
    await this.until(pauses);
    await client.handle("checkout", IDS.completed).raise("approved", true);
    await client.handle("checkout", IDS.cancelled).cancel("sold out");
    for (const id of [IDS.completed, IDS.cancelled, IDS.failed]) {
      await client
        .handle("checkout", id)
        .result()
        .catch(() => {});
    }
    await runtime.shutdown();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.provider[Symbol.asyncDispose]();
    await this.#emulator?.[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The tests of `body` on a desk of each store, which they share. */
export function onEachStore(
  body: (desk: () => Desk) => void,
  options: { readonly empty?: boolean } = {},
): void {
  describe.each(["sqlite", "cosmos"] as const)("on %s", (kind) => {
    body(shared(() => Desk.open(kind, options)));
  });
}
