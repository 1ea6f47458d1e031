/**
 * The stage of the programs of the guide: a store in memory, and a runtime and a client that share a clock which is
 * moved by hand, so that a day of waiting takes no time. The guide shows what the programs play on it.
 */
import { Client, type InstanceHandle, Runtime, type RuntimeOptions } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";

export type StageOptions = Omit<RuntimeOptions, "provider" | "clock">;

const HOUR_MS = 3_600_000;
const LONGEST_WAIT_MS = 31 * 24 * HOUR_MS;

export class Stage {
  readonly clock: VirtualClock;
  readonly provider: SqliteProvider;
  readonly client: Client;
  #runtime: Runtime;

  private constructor(clock: VirtualClock, provider: SqliteProvider, runtime: Runtime, client: Client) {
    this.clock = clock;
    this.provider = provider;
    this.#runtime = runtime;
    this.client = client;
  }

  static async open(options: StageOptions): Promise<Stage> {
    const clock = new VirtualClock();
    const provider = await SqliteProvider.open(":memory:", { clock, pollIntervalMs: 24 * HOUR_MS });
    const { codec } = options;
    const client = new Client(provider, { clock, ...(codec && { codec }) });
    return new Stage(clock, provider, await startRuntime(provider, clock, options), client);
  }

  /** Another process takes over, with other handlers: nothing but the store is left of the first. */
  async restart(options: StageOptions): Promise<void> {
    const { clock, provider } = this;
    await this.#runtime.shutdown({ graceMs: 0 });
    this.#runtime = await startRuntime(provider, clock, options);
  }

  /** One more process beside the first. */
  async join(options: StageOptions): Promise<Runtime> {
    return startRuntime(this.provider, this.clock, options);
  }

  /** Lets everything run that needs no time. */
  async settle(): Promise<void> {
    await this.clock.settle();
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  /** The output of the instance, or its failure; time moves as far as that takes. */
  async finish<Output>(handle: InstanceHandle<Output>): Promise<Output> {
    await this.settle();
    for (let stepMs = 10, passedMs = 0; !(await hasEnded(handle)); passedMs += stepMs, stepMs *= 2) {
      if (passedMs > LONGEST_WAIT_MS) throw new Error(`${handle.instanceId} did not end within a month`);
      await this.advance(stepMs);
    }
    return handle.result();
  }

  /** Returns the error with which the instance failed. */
  async failure(handle: InstanceHandle<unknown>): Promise<Error> {
    const outcome = await this.finish(handle).then(
      (output) => new Error(`it did not fail, but returned ${JSON.stringify(output)}`),
      (error: unknown) => error,
    );
    return outcome as Error;
  }

  async close(): Promise<void> {
    await this.#runtime.shutdown({ graceMs: 0 });
    await this.provider[Symbol.asyncDispose]();
  }
}

/** Opens a stage, lets `play` use it, and closes it. */
export async function onStage(options: StageOptions, play: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await Stage.open(options);
  try {
    await play(stage);
  } finally {
    await stage.close();
  }
}

async function hasEnded(handle: InstanceHandle<unknown>): Promise<boolean> {
  const { status } = await handle.status();
  return status !== "NotFound" && status !== "Scheduled" && status !== "Running";
}

const A_CENTURY_MS = 100 * 365 * 24 * HOUR_MS;

/** Few slots, and nothing that ticks by itself, so that moving time costs no more than what happens in it. */
const QUIET: Partial<RuntimeOptions> = {
  orchestrationConcurrency: 2,
  workerConcurrency: 4,
  longPollTimeoutMs: A_CENTURY_MS,
  sessionLockTimeoutMs: A_CENTURY_MS,
  sessionIdleTimeoutMs: A_CENTURY_MS,
  reportWorker: false,
};

function startRuntime(
  provider: SqliteProvider,
  clock: VirtualClock,
  options: StageOptions,
): Promise<Runtime> {
  return Runtime.start({ ...QUIET, ...options, provider, clock });
}
