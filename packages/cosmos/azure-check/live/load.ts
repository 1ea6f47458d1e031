/** Orchestrations that are started one after the other while something happens to the account. */
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import type { CosmosProvider } from "../../src/provider.ts";

const double = activity("double", async (_ctx, n: number) => 2 * n);

const work = orchestration("azure-check load", async (ctx, n: number) => ctx.scheduleActivity(double, n));

/** Number of orchestrations at a time. */
const LANES = 8;

export interface LoadResult {
  readonly started: number;
  readonly completed: number;
  /** Ids of those that did not end, or ended wrongly. */
  readonly lost: readonly string[];
  /** The longest time between two completions. */
  readonly longestGapMs: number;
}

/** Disposing ends it. */
export class Load implements AsyncDisposable {
  readonly #runtime: Runtime;
  readonly #client: Client;
  readonly #prefix: string;
  readonly #patienceMs: number;
  readonly #lost: string[] = [];
  readonly #lanes: Promise<unknown>;
  readonly #completedAtMs: number[] = [];
  #started = 0;
  #isStopping = false;
  #ended: Promise<LoadResult> | undefined;

  private constructor(runtime: Runtime, client: Client, prefix: string, patienceMs: number) {
    this.#runtime = runtime;
    this.#client = client;
    this.#prefix = prefix;
    this.#patienceMs = patienceMs;
    this.#lanes = Promise.all(Array.from({ length: LANES }, () => this.#lane()));
  }

  static async begin(provider: CosmosProvider, prefix: string, patienceMs: number): Promise<Load> {
    const runtime = await Runtime.start({
      provider,
      activities: [double],
      orchestrations: [work],
      logger: silentLogger,
    });
    return new Load(runtime, new Client(provider), prefix, patienceMs);
  }

  get completed(): number {
    return this.#completedAtMs.length;
  }

  /** Waits for this number in all, and throws when that takes too long. */
  async until(completed: number): Promise<void> {
    const untilMs = performance.now() + this.#patienceMs;
    while (this.completed < completed) {
      if (performance.now() > untilMs) throw new Error(`only ${this.completed} of ${completed} have ended`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Starts no more, and waits for those that run. */
  end(): Promise<LoadResult> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<LoadResult> {
    this.#isStopping = true;
    await this.#lanes;
    await this.#runtime.shutdown();
    const gaps = this.#completedAtMs.map((at, n) => at - (this.#completedAtMs[n - 1] ?? at));
    return {
      started: this.#started,
      completed: this.completed,
      lost: this.#lost,
      longestGapMs: Math.round(Math.max(0, ...gaps)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #lane(): Promise<void> {
    while (!this.#isStopping) {
      const number = this.#started++;
      const instanceId = `${this.#prefix}-${number}`;
      if (await this.#runOne(instanceId, number)) this.#completedAtMs.push(performance.now());
      else this.#lost.push(instanceId);
    }
  }

  /** A start whose answer was lost is repeated under the same id. */
  async #runOne(instanceId: string, number: number): Promise<boolean> {
    const untilMs = performance.now() + this.#patienceMs;
    while (performance.now() < untilMs) {
      try {
        const instance = await this.#client.start(work, { instanceId, input: number });
        return (await instance.result({ timeout: this.#patienceMs })) === 2 * number;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    }
    return false;
  }
}

const LOOK_EVERY_MS = 50;
