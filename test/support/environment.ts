/**
 * A store, a runtime and a client on one virtual clock: nothing sleeps, and a test says when time moves. The
 * runtime can be stopped, killed and started again on the same store, with other handlers if need be. On a store with
 * a time of its own the clock is the system's, and a test that wants to move it is refused.
 */
import {
  type AnyActivity,
  type AnyOrchestration,
  Client,
  type Clock,
  type HistoryEvent,
  type InstanceHandle,
  type Provider,
  type Random,
  type ResultOf,
  Runtime,
  type RuntimeOptions,
  systemClock,
} from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { historyLines } from "./history-lines.ts";
import { RecordingLogger } from "./recording-logger.ts";
import { sqlite } from "./stores/sqlite.ts";
import type { OpenedStore, StoreKind } from "./stores/store.ts";

export interface EnvironmentOptions {
  readonly activities?: readonly AnyActivity[];
  readonly orchestrations?: readonly AnyOrchestration[];
  /** Further options of the runtime. */
  readonly options?: Partial<RuntimeOptions>;
  /** Keeps the store in a file, which a restart closes and opens again. */
  readonly file?: boolean;
  /** SQLite by default. */
  readonly store?: StoreKind;
  /** Stands between the runtime and the store; the client talks to the store itself. */
  readonly wrap?: (provider: Provider) => Provider;
}

/** Idle ones cost little when time moves. */
const SPARING = { orchestrationConcurrency: 2, workerConcurrency: 4, reportWorker: false };

const LONGEST_WAIT_MS = 24 * 3_600_000;

export async function startEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const environment = new Environment(options);
  await environment.start();
  return environment;
}

/** The test wants to move time, and the store's cannot be moved. */
export class NeedsVirtualTime extends Error {}

export class Environment implements AsyncDisposable {
  readonly log = new RecordingLogger();
  readonly #options: EnvironmentOptions;
  /** Undefined in real time. */
  readonly #virtualClock: VirtualClock | undefined;
  readonly clock: Clock;
  readonly #random = countingRandom();
  readonly #others: Runtime[] = [];
  readonly #otherProviders: AsyncDisposable[] = [];
  #store: OpenedStore | undefined;
  #provider: (Provider & AsyncDisposable) | undefined;
  #runtime: Runtime | undefined;

  constructor(options: EnvironmentOptions) {
    this.#options = options;
    this.#virtualClock = options.store?.time === "real" ? undefined : new VirtualClock();
    this.clock = this.#virtualClock ?? systemClock;
  }

  get provider(): Provider {
    if (this.#provider === undefined) throw new Error("the environment is stopped");
    return this.#provider;
  }

  get runtime(): Runtime {
    if (this.#runtime === undefined) throw new Error("the runtime is stopped");
    return this.#runtime;
  }

  get client(): Client {
    const { codec } = this.#options.options ?? {};
    return new Client(this.provider, {
      clock: this.clock,
      random: this.#random,
      ...(codec && { codec }),
    });
  }

  /** SQLite's file. */
  get storePath(): string {
    if (this.#store?.path === undefined) throw new Error("this store has no file");
    return this.#store.path;
  }

  /** Starts the runtime, with other handlers or options than before where `changes` says so. */
  async start(changes: EnvironmentOptions = {}): Promise<void> {
    const { clock, log: logger } = this;
    const { store = sqlite, file = false } = this.#options;
    this.#store ??= await store.open({ clock, random: countingRandom(), file });
    this.#provider ??= await this.#store.connect();
    this.#runtime = await Runtime.start({
      provider: (this.#options.wrap ?? ((same) => same))(this.#provider),
      activities: changes.activities ?? this.#options.activities ?? [],
      orchestrations: changes.orchestrations ?? this.#options.orchestrations ?? [],
      clock,
      logger,
      random: this.#random,
      ...SPARING,
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
      ...SPARING,
      ...options,
    });
    this.#others.push(runtime);
    return runtime;
  }

  /** A further runtime with a provider of its own, as in another process. */
  async startElsewhere(options: Partial<RuntimeOptions>): Promise<Runtime> {
    return this.startAnother({ ...options, provider: await this.connectElsewhere() });
  }

  /** A further provider on the same store, as in another process; SQLite needs a file for it. */
  async connectElsewhere(): Promise<Provider> {
    if (this.#store === undefined) throw new Error("the environment was never started");
    const provider = await this.#store.connect();
    this.#otherProviders.push(provider);
    return provider;
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

  /** The clock that can be moved. For a test that takes long, too: it says why it is left out in real time. */
  needsVirtualTime(reason: string): VirtualClock {
    if (this.#virtualClock !== undefined) return this.#virtualClock;
    throw new NeedsVirtualTime(`${reason}, and the time of an account cannot be moved`);
  }

  /** Moves time by `ms`; returns when nothing is left to do. */
  async advance(ms: number): Promise<void> {
    const clock = this.needsVirtualTime("it moves time");
    const endMs = clock.now() + ms;
    await this.settle();
    while (this.#store?.traffic !== undefined && (clock.nextDueMs ?? endMs) < endMs) {
      await clock.advance(Math.max(0, (clock.nextDueMs ?? endMs) - clock.now()));
      await this.settle();
    }
    await clock.advance(endMs - clock.now());
    await this.settle();
  }

  /** Lets everything run that needs no time. Requests to the store take some, which is not that of the clock. */
  async settle(): Promise<void> {
    const clock = this.needsVirtualTime("it waits until nothing is left to do");
    await clock.settle();
    const traffic = this.#store?.traffic;
    while (traffic !== undefined && traffic.inFlight > 0) {
      await traffic.idle();
      await clock.settle();
    }
  }

  /** Starts an instance, "i" where nothing else is said. */
  readonly #begun = ((orchestration: AnyOrchestration | string, options: object = {}) =>
    this.client.start(orchestration, { instanceId: "i", ...options })) as Client["start"];

  /** Starts an instance, "i" where nothing else is said, and lets everything run that needs no time. */
  readonly begin = (async (...args: Parameters<Client["start"]>) => {
    const handle = await this.#begun(...args);
    await this.settle();
    return handle;
  }) as Client["start"];

  /** Starts an instance, and returns its output; time moves as far as that takes. */
  async run<O extends AnyOrchestration | string>(
    ...args: [orchestration: O, options?: Parameters<Client["start"]>[1]]
  ): Promise<ResultOf<O>> {
    const started: InstanceHandle<unknown> = await this.#begun(...(args as Parameters<Client["start"]>));
    return (await this.finish(started)) as ResultOf<O>;
  }

  /** Starts an instance, and returns the error with which it failed; an error if it did not fail. */
  async failureOf(...args: Parameters<Client["start"]>): Promise<Error> {
    return this.failure(await this.#begun(...args));
  }

  /** The instance's output, or its failure; time moves as far as that takes. */
  async finish<Output>(handle: InstanceHandle<Output>): Promise<Output> {
    const { instanceId } = handle;
    // A client that waits asks the store each second, which makes an hour of virtual time thousands of requests.
    const hasEnded = async (): Promise<boolean> => {
      const status = await this.provider.getInstanceStatus(instanceId);
      return status?.status === "Completed" || status?.status === "Failed";
    };
    await this.#moveWhile(
      async () => !(await hasEnded()),
      `instance "${instanceId}" did not end within a day`,
    );
    return handle.result();
  }

  /** Returns the error with which the instance failed; an error if it did not fail. */
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

  /** One line for each event, without times; of the newest execution by default. */
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
    for (const provider of [...this.#otherProviders, this.#provider]) await provider?.[Symbol.asyncDispose]();
    await this.#store?.[Symbol.asyncDispose]();
  }

  async #moveUntil<T>(promise: Promise<T>, complaint: string): Promise<T> {
    if (this.#virtualClock === undefined) return promise;
    let settled = false;
    promise.then(
      () => {
        settled = true;
      },
      () => {
        settled = true;
      },
    );
    await this.#moveWhile(() => !settled, complaint);
    return promise;
  }

  async #moveWhile(isAwaited: () => boolean | Promise<boolean>, complaint: string): Promise<void> {
    if (this.#virtualClock === undefined) return;
    await this.settle();
    for (let stepMs = 10, passedMs = 0; await isAwaited(); stepMs *= 2) {
      if (passedMs > LONGEST_WAIT_MS) throw new Error(complaint);
      await this.advance(stepMs);
      passedMs += stepMs;
    }
  }

  async #closeFile(): Promise<void> {
    if (this.#options.file !== true) return;
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
