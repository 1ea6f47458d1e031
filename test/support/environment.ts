/**
 * A store, a runtime and a client on one virtual clock: nothing sleeps, and a test says when time moves. The
 * runtime can be stopped, killed and started again on the same store, with other handlers if need be.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type AnyActivity,
  type AnyOrchestration,
  Client,
  type HistoryEvent,
  type InstanceHandle,
  type Provider,
  type Random,
  Runtime,
  type RuntimeOptions,
} from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { historyLines } from "./history-lines.ts";
import { RecordingLogger } from "./recording-logger.ts";

export interface EnvironmentOptions {
  readonly activities?: readonly AnyActivity[];
  readonly orchestrations?: readonly AnyOrchestration[];
  /** Whatever else the runtime is told. */
  readonly options?: Partial<RuntimeOptions>;
  /** Keeps the store in a file, which a restart closes and opens again. */
  readonly file?: boolean;
  /** Stands between the runtime and the store; the client talks to the store itself. */
  readonly wrap?: (provider: Provider) => Provider;
}

/** Few, so that idle ones cost little when time moves. */
const SLOTS = { orchestrationConcurrency: 2, workerConcurrency: 4 };

const LONGEST_WAIT_MS = 24 * 3_600_000;

export async function startEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const folder = options.file === true ? await mkdtemp(path.join(tmpdir(), "duroxide-ts-")) : undefined;
  const environment = new Environment(options, folder);
  await environment.start();
  return environment;
}

export class Environment implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly log = new RecordingLogger();
  readonly #options: EnvironmentOptions;
  readonly #folder: string | undefined;
  readonly #random = countingRandom();
  readonly #others: Runtime[] = [];
  #provider: SqliteProvider | undefined;
  #runtime: Runtime | undefined;

  constructor(options: EnvironmentOptions, folder: string | undefined) {
    this.#options = options;
    this.#folder = folder;
  }

  get provider(): SqliteProvider {
    if (this.#provider === undefined) throw new Error("the environment is stopped");
    return this.#provider;
  }

  get runtime(): Runtime {
    if (this.#runtime === undefined) throw new Error("the runtime is stopped");
    return this.#runtime;
  }

  get client(): Client {
    const { codec } = this.#options.options ?? {};
    return new Client(this.provider, { clock: this.clock, random: this.#random, ...(codec && { codec }) });
  }

  get storePath(): string {
    return this.#folder === undefined ? ":memory:" : path.join(this.#folder, "store.db");
  }

  /** Starts the runtime, with other handlers or options than before where `changes` says so. */
  async start(changes: EnvironmentOptions = {}): Promise<void> {
    const { clock, log: logger } = this;
    // A file is asked for other processes' commits at every interval, and here there is no other process.
    this.#provider ??= await SqliteProvider.open(this.storePath, {
      clock,
      random: this.#random,
      pollIntervalMs: 86_400_000,
    });
    this.#runtime = await Runtime.start({
      provider: (this.#options.wrap ?? ((same) => same))(this.#provider),
      activities: changes.activities ?? this.#options.activities ?? [],
      orchestrations: changes.orchestrations ?? this.#options.orchestrations ?? [],
      clock,
      logger,
      random: this.#random,
      ...SLOTS,
      ...this.#options.options,
      ...changes.options,
    });
  }

  /** A further runtime on the same store. */
  async startAnother(options: Partial<RuntimeOptions>): Promise<Runtime> {
    const { clock, log: logger, provider } = this;
    const runtime = await Runtime.start({
      provider,
      clock,
      logger,
      random: this.#random,
      ...SLOTS,
      ...options,
    });
    this.#others.push(runtime);
    return runtime;
  }

  /** Lets what is in flight finish. */
  async stop(): Promise<void> {
    const stopped = this.#runtime?.shutdown({ graceMs: 60_000 });
    this.#runtime = undefined;
    await this.#moveUntil(stopped ?? Promise.resolve(), "the runtime did not stop");
    await this.#closeFile();
  }

  /** Waits for nothing: what was in flight is handed out again when its lock expires. */
  async kill(): Promise<void> {
    await this.#runtime?.shutdown({ graceMs: 0 });
    this.#runtime = undefined;
    await this.#closeFile();
  }

  /** Another process takes over: nothing but the store is left of the first. */
  async restart(changes: EnvironmentOptions = {}): Promise<void> {
    await this.stop();
    await this.start(changes);
  }

  /** Moves time by `ms`; returns when nothing is left to do. */
  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  /** Lets everything run that needs no time. */
  async settle(): Promise<void> {
    await this.clock.settle();
  }

  /** The instance's output, or its failure; time moves as far as that takes. */
  async finish<Output>(handle: InstanceHandle<Output>): Promise<Output> {
    return this.#moveUntil(handle.result(), `instance "${handle.instanceId}" did not end within a day`);
  }

  /** What the instance failed with; an error if it did not fail. */
  async failure(handle: InstanceHandle<unknown>): Promise<Error> {
    const outcome = await this.finish(handle).then(
      (output) => new Error(`it did not fail: ${JSON.stringify(output)}`),
      (error: unknown) => error as Error,
    );
    return outcome;
  }

  /** Whatever the promise settles with; time moves as far as that takes. */
  async until<T>(promise: Promise<T>): Promise<T> {
    return this.#moveUntil(promise, "what was waited for did not come within a day");
  }

  /** One line for each event, without times; of the newest execution unless told otherwise. */
  async history(instanceId: string, executionId?: number): Promise<readonly string[]> {
    return historyLines(await this.events(instanceId, executionId));
  }

  async events(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]> {
    return this.provider.readHistory(instanceId, executionId);
  }

  /** The histories of all executions of all instances, by `<instance>#<execution>`. */
  async allHistories(): Promise<Readonly<Record<string, readonly string[]>>> {
    const histories: Record<string, readonly string[]> = {};
    if (this.#provider === undefined) return histories;
    for await (const instanceId of this.client.admin.instances()) {
      for (const execution of await this.client.admin.executions(instanceId)) {
        histories[`${instanceId}#${execution}`] = await this.history(instanceId, execution).catch(
          (error: unknown) => [String(error)],
        );
      }
    }
    return histories;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#runtime, ...this.#others].map((runtime) => runtime?.shutdown({ graceMs: 0 })));
    await this.#provider?.[Symbol.asyncDispose]();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #moveUntil<T>(promise: Promise<T>, complaint: string): Promise<T> {
    let settled = false;
    promise.then(
      () => {
        settled = true;
      },
      () => {
        settled = true;
      },
    );
    await this.settle();
    for (let stepMs = 10, passedMs = 0; !settled; stepMs *= 2) {
      if (passedMs > LONGEST_WAIT_MS) throw new Error(complaint);
      await this.advance(stepMs);
      passedMs += stepMs;
    }
    return promise;
  }

  async #closeFile(): Promise<void> {
    if (this.#folder === undefined) return;
    await this.#provider?.[Symbol.asyncDispose]();
    this.#provider = undefined;
  }
}

/** Chance that is the same in every run. */
function countingRandom(): Random {
  let drawn = 0;
  return {
    next: () => (drawn++ % 1_000) / 1_000,
    uuid: () => `00000000-0000-4000-8000-${String(drawn++).padStart(12, "0")}`,
  };
}
