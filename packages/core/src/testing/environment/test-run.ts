/** One instance in a test environment. Calls that send to it return after the instance has processed the message. */
import type { AskOptions } from "../../client/ask.ts";
import type { InstanceHandle } from "../../client/instance-handle.ts";
import type { OrchestrationStatus } from "../../client/orchestration-status.ts";
import { hasEnded } from "../../contract/status.ts";
import type {
  CallArguments,
  EventDefinition,
  KeyDefinition,
  QuestionDefinition,
  QueueDefinition,
} from "../../define/definition-types.ts";
import { type Duration, durationMs } from "../../define/duration.ts";
import { OrchestrationFailedError } from "../../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { VirtualClock } from "../virtual-clock.ts";
import type { FailureWatch } from "./failure-watch.ts";
import { StalledError } from "./stalled-error.ts";
import { nextDueMs, type Wait } from "./waits.ts";

type Data<T> = undefined extends T ? [data?: T] : [data: T];

/** The most timers of `runToEnd`, because an orchestration that always sets another timer never ends. */
const MOST_TIMERS = 10_000;

const A_YEAR: Duration = { days: 366 };

/** The options of `runToEnd`. */
export interface RunToEndOptions {
  /** Virtual time; a year by default. */
  readonly within?: Duration;
}

const RUN_TO_END: OptionList = optionList<RunToEndOptions>({ within: true });

/** The part of the environment that a run needs. It does not report unseen failures. */
export interface RunSurroundings {
  readonly clock: VirtualClock;
  readonly failures: FailureWatch;
  settle(): Promise<void>;
  untilStill(): Promise<void>;
  advance(ms: number): Promise<void>;
  waitsOf(instanceId: string): Promise<readonly Wait[]>;
  readHistory(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]>;
}

/** One instance under test. Calls that send to it return after the instance has processed the message. */
export class TestRun<Output, Shown = unknown> {
  readonly instanceId: string;
  readonly #environment: RunSurroundings;
  readonly #handle: InstanceHandle<Output, Shown>;

  constructor(handle: InstanceHandle<Output, Shown>, environment: RunSurroundings) {
    this.instanceId = handle.instanceId;
    this.#environment = environment;
    this.#handle = handle;
  }

  /**
   * The output, or OrchestrationFailedError. Does not advance the clock: if the orchestration waits for something that
   * only the test can cause, StalledError lists its waits. May be called before the clock is advanced.
   *
   * @example
   * ```ts
   * const receipt = await run.result();
   * ```
   */
  result(): Promise<Output> {
    return handled(this.#environment.failures.asking(this.instanceId, () => this.#result()));
  }

  /**
   * Like `result`, but advances from timer to timer, by at most `within` (366 days by default).
   *
   * @example
   * ```ts
   * const receipt = await run.runToEnd(); // moves time from timer to timer
   * ```
   */
  runToEnd(options: RunToEndOptions = {}): Promise<Output> {
    checkOptions("runToEnd", options, RUN_TO_END);
    const { within = A_YEAR } = options;
    const untilMs = this.#environment.clock.now() + durationMs(within);
    return handled(this.#environment.failures.asking(this.instanceId, () => this.#runToEnd(untilMs)));
  }

  /**
   * The status when no work is due.
   *
   * @example
   * ```ts
   * const { status } = await run.status();
   * ```
   */
  async status(): Promise<OrchestrationStatus<Output, Shown>> {
    await this.#environment.settle();
    return this.#handle.status();
  }

  /**
   * Sends an event, which is delivered only to a wait that is already open.
   *
   * @example
   * ```ts
   * await run.raise(approved, { by: "Ada" });
   * ```
   */
  async raise<T>(event: EventDefinition<T> | string, ...data: Data<T>): Promise<void> {
    await this.#handle.raise<T>(event, ...data);
    await this.#environment.settle();
  }

  /**
   * Adds a message to the queue of the instance.
   *
   * @example
   * ```ts
   * await run.enqueue(lines, { sku: "A-1" });
   * ```
   */
  async enqueue<T>(queue: QueueDefinition<T> | string, ...data: Data<T>): Promise<void> {
    await this.#handle.enqueue<T>(queue, ...data);
    await this.#environment.settle();
  }

  /**
   * Asks the instance. Does not advance the clock: without a `timeout`, StalledError if no work is due and it has not
   * answered.
   *
   * @example
   * ```ts
   * const sum = await run.ask(price, { currency: "EUR" });
   * ```
   */
  ask<Input, Result>(
    question: QuestionDefinition<Input, unknown, unknown, Result> | string,
    ...args: CallArguments<Input, AskOptions>
  ): Promise<Result> {
    return handled(this.#ask(this.#handle.ask<Input, Result>(question, ...args), args[1]));
  }

  /**
   * Fails the instance with `canceled: <reason>`.
   *
   * @example
   * ```ts
   * await run.cancel("no longer needed");
   * ```
   */
  async cancel(reason?: string): Promise<void> {
    await this.#handle.cancel(reason);
    await this.#environment.settle();
  }

  /**
   * The events of the newest execution by default, as `replay` takes them.
   *
   * @example
   * ```ts
   * const events = await run.history();
   * ```
   */
  async history(executionId?: number): Promise<readonly HistoryEvent[]> {
    await this.#environment.settle();
    this.#environment.failures.noteSeen(this.instanceId);
    return this.#environment.readHistory(this.instanceId, executionId);
  }

  /**
   * The open waits when no work is due; none once the instance has ended.
   *
   * @example
   * ```ts
   * const [first] = await run.waits();
   * ```
   */
  async waits(): Promise<readonly Wait[]> {
    await this.#environment.settle();
    const { status } = await this.#handle.status();
    return hasEnded(status) ? [] : this.#environment.waitsOf(this.instanceId);
  }

  /**
   * The KV entry as committed; `undefined` when there is none.
   *
   * @example
   * ```ts
   * const cents = await run.get(total);
   * ```
   */
  async get<T>(key: KeyDefinition<T>): Promise<T | undefined>;
  /** The KV entry of this name; its type is not checked. */
  async get<T = unknown>(key: string): Promise<T | undefined>;
  async get(key: KeyDefinition<unknown> | string): Promise<unknown> {
    await this.#environment.settle();
    return typeof key === "string" ? this.#handle.get(key) : this.#handle.get(key);
  }

  async #ask<Result>(answer: Promise<Result>, options: AskOptions = {}): Promise<Result> {
    if (options.timeout !== undefined) return answer;
    const idle = this.#environment.untilStill().then(() => undefined);
    const first = await Promise.race([answer.then((value) => ({ value })), idle]);
    if (first !== undefined) return first.value;
    throw new StalledError(this.instanceId, HAS_NO_ANSWER, await this.#environment.waitsOf(this.instanceId));
  }

  async #result(): Promise<Output> {
    await this.#environment.untilStill();
    const ended = await this.#ended();
    if (ended !== undefined) return ended.output;
    throw new StalledError(this.instanceId, IS_IDLE, await this.#environment.waitsOf(this.instanceId));
  }

  async #runToEnd(untilMs: number): Promise<Output> {
    const { clock } = this.#environment;
    for (let timers = 0; ; timers++) {
      await this.#environment.untilStill();
      const ended = await this.#ended();
      if (ended !== undefined) return ended.output;
      const waits = await this.#environment.waitsOf(this.instanceId);
      const dueMs = nextDueMs(waits);
      if (dueMs === undefined) throw new StalledError(this.instanceId, IS_IDLE, waits);
      if (dueMs > untilMs || timers >= MOST_TIMERS)
        throw new StalledError(this.instanceId, IS_RUNNING, waits);
      await this.#environment.advance(Math.max(1, dueMs - clock.now()));
    }
  }

  async #ended(): Promise<{ readonly output: Output } | undefined> {
    const status = await this.#handle.status();
    if (status.status === "Failed" || status.status === "Cancelled")
      throw new OrchestrationFailedError(this.instanceId, status.details);
    return status.status === "Completed" ? { output: status.output } : undefined;
  }
}

const HAS_NO_ANSWER = "has not answered the question, and no work is due. It waits for:";
const IS_IDLE = "has not ended, and no work is due. It waits for:";
const IS_RUNNING = "has not ended within the given time. It waits for:";

/** Marks a rejection as handled, because a test may await the result only after further steps. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
