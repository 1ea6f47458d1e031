/** One instance in a test environment. Whatever is sent to it has taken effect when the call returns. */
import type { InstanceHandle, OrchestrationStatus } from "../../client/instance-handle.ts";
import type { EventDefinition, KeyDefinition, QueueDefinition } from "../../define/definition-types.ts";
import { type Duration, durationMs } from "../../define/duration.ts";
import { OrchestrationFailedError } from "../../errors/duroxide-error.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { VirtualClock } from "../virtual-clock.ts";
import type { FailureWatch } from "./failure-watch.ts";
import { StalledError } from "./stalled-error.ts";
import { nextDueMs, type Wait } from "./waits.ts";

type Data<T> = undefined extends T ? [data?: T] : [data: T];

/** An orchestration that sets timer after timer does not end; it is given up after so many. */
const MOST_TIMERS = 10_000;

const A_YEAR: Duration = { days: 366 };

/** What a run needs of its environment. None of it reports failures. */
export interface RunSurroundings {
  readonly clock: VirtualClock;
  readonly failures: FailureWatch;
  settle(): Promise<void>;
  untilStill(): Promise<void>;
  advance(ms: number): Promise<void>;
  waitsOf(instanceId: string): Promise<readonly Wait[]>;
  readHistory(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]>;
}

/** One instance under test. Whatever is sent to it has taken effect when the call returns. */
export class TestRun<Output> {
  readonly instanceId: string;
  readonly #environment: RunSurroundings;
  readonly #handle: InstanceHandle<Output>;

  constructor(handle: InstanceHandle<Output>, environment: RunSurroundings) {
    this.instanceId = handle.instanceId;
    this.#environment = environment;
    this.#handle = handle;
  }

  /**
   * The output, or OrchestrationFailedError. Time does not move: where the orchestration waits for something that
   * will not come by itself, StalledError says for what. May be asked for before time is moved.
   */
  result(): Promise<Output> {
    return handled(this.#environment.failures.asking(this.instanceId, () => this.#result()));
  }

  /** Like `result`, but lets time pass, timer by timer, for at most `within` (366 days by default). */
  runToEnd({ within = A_YEAR }: { readonly within?: Duration } = {}): Promise<Output> {
    const untilMs = this.#environment.clock.now() + durationMs(within);
    return handled(this.#environment.failures.asking(this.instanceId, () => this.#runToEnd(untilMs)));
  }

  /** How the instance stands when nothing is left to do. */
  async status(): Promise<OrchestrationStatus<Output>> {
    await this.#environment.settle();
    return this.#handle.status();
  }

  /** Delivered only to a wait that is open already, as always. */
  async raise<T>(event: EventDefinition<T> | string, ...data: Data<T>): Promise<void> {
    await this.#handle.raise<T>(event, ...data);
    await this.#environment.settle();
  }

  /** Joins the queue of the instance. */
  async enqueue<T>(queue: QueueDefinition<T> | string, ...data: Data<T>): Promise<void> {
    await this.#handle.enqueue<T>(queue, ...data);
    await this.#environment.settle();
  }

  /** Fails the instance with `canceled: <reason>`. */
  async cancel(reason?: string): Promise<void> {
    await this.#handle.cancel(reason);
    await this.#environment.settle();
  }

  /** Of the newest execution unless told otherwise; what `replay` takes. */
  async history(executionId?: number): Promise<readonly HistoryEvent[]> {
    await this.#environment.settle();
    this.#environment.failures.noteSeen(this.instanceId);
    return this.#environment.readHistory(this.instanceId, executionId);
  }

  /** What the instance waits for when nothing is left to do; nothing once it has ended. */
  async waits(): Promise<readonly Wait[]> {
    await this.#environment.settle();
    const { status } = await this.#handle.status();
    const hasEnded = status === "Completed" || status === "Failed";
    return hasEnded ? [] : this.#environment.waitsOf(this.instanceId);
  }

  /** The KV entry as committed; `undefined` when there is none. */
  async get<T>(key: KeyDefinition<T>): Promise<T | undefined>;
  /** The KV entry of this name, as any type you claim. */
  async get<T = unknown>(key: string): Promise<T | undefined>;
  async get(key: KeyDefinition<unknown> | string): Promise<unknown> {
    await this.#environment.settle();
    return typeof key === "string" ? this.#handle.get(key) : this.#handle.get(key);
  }

  async #result(): Promise<Output> {
    await this.#environment.untilStill();
    const ended = await this.#ended();
    if (ended !== undefined) return ended.output;
    throw new StalledError(this.instanceId, STANDS_STILL, await this.#environment.waitsOf(this.instanceId));
  }

  async #runToEnd(untilMs: number): Promise<Output> {
    const { clock } = this.#environment;
    for (let timers = 0; ; timers++) {
      await this.#environment.untilStill();
      const ended = await this.#ended();
      if (ended !== undefined) return ended.output;
      const waits = await this.#environment.waitsOf(this.instanceId);
      const dueMs = nextDueMs(waits);
      if (dueMs === undefined) throw new StalledError(this.instanceId, STANDS_STILL, waits);
      if (dueMs > untilMs || timers >= MOST_TIMERS) throw new StalledError(this.instanceId, GOES_ON, waits);
      await this.#environment.advance(Math.max(1, dueMs - clock.now()));
    }
  }

  async #ended(): Promise<{ readonly output: Output } | undefined> {
    const status = await this.#handle.status();
    if (status.status === "Failed") throw new OrchestrationFailedError(this.instanceId, status.details);
    return status.status === "Completed" ? { output: status.output } : undefined;
  }
}

const STANDS_STILL = "has not ended, and nothing more happens by itself. It waits for:";
const GOES_ON = "has not ended within the time that it was given. It waits for:";

/** A test may ask first, act, and look at the result later: until then a rejection is nobody's fault. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
