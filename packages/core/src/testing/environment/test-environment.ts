/**
 * A test environment: an in-memory store, a runtime and a client on one virtual clock. The clock moves only when the
 * test advances it, and every method returns when no work is due.
 */
import { Client } from "../../client/client.ts";
import type { InstanceHandle } from "../../client/instance-handle.ts";
import type { StartArguments } from "../../client/start-options.ts";
import type { Provider } from "../../contract/provider.ts";
import type { ActivityDefinition, AnyActivity } from "../../define/definition-types.ts";
import { type Duration, durationMs } from "../../define/duration.ts";
import { toLogger } from "../../define/observers.ts";
import type { AnyOrchestration, CustomStatusOf, ResultOf } from "../../define/orchestration-context.ts";
import { stderrLogger } from "../../define/stderr-logger.ts";
import { NonRetryableError } from "../../errors/duroxide-error.ts";
import { jsonCodec } from "../../payload/json-codec.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { OrchestrationRegistry } from "../../runtime/registry.ts";
import { Runtime } from "../../runtime/runtime.ts";
import { warningsTo } from "../../stores/warnings.ts";
import { wholeInputs } from "../../wire/shared-inputs.ts";
import { MemoryProvider } from "../memory/provider.ts";
import { SeededRandom } from "../seeded-random.ts";
import type { VirtualClock } from "../virtual-clock.ts";
import { type ActivityCall, ActivityRecorder } from "./activity-recorder.ts";
import { EnvironmentClock } from "./environment-clock.ts";
import { FailureWatch } from "./failure-watch.ts";
import { HistoryRecorder } from "./history-recorder.ts";
import { checkTestEnvironment, TEST_DEFAULTS, type TestEnvironmentOptions } from "./options.ts";
import type { EnvironmentParts } from "./parts.ts";
import {
  type ChildRecord,
  childrenOf,
  type EventRecord,
  eventsOf,
  type TimerRecord,
  timersOf,
} from "./spies.ts";
import { withSteps } from "./steps.ts";
import { TestRun } from "./test-run.ts";
import { type Wait, waitsOf } from "./waits.ts";
import { observedProvider, recordingProvider } from "./watched-providers.ts";

/** An in-memory store, a runtime and a client on one virtual clock, which the test advances. */
export class TestEnvironment implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly provider: Provider;
  readonly client: Client;
  readonly #options: TestEnvironmentOptions;
  readonly #recorder = new ActivityRecorder();
  readonly #history = new HistoryRecorder();
  readonly #failures = new FailureWatch(this.#history);
  /** The store of the runtimes, with recorded commits. */
  readonly #recorded: Provider;
  #runtime: Runtime | undefined;
  #parts: EnvironmentParts | undefined;
  #moves = 0;

  private constructor(options: TestEnvironmentOptions, clock: VirtualClock, provider: Provider) {
    this.#options = { random: new SeededRandom(), ...options };
    this.clock = clock;
    this.provider = provider;
    const { random, codec, logger } = this.#options;
    this.#recorded = recordingProvider(provider, this.#history, this.#failures);
    this.client = new Client(observedProvider(provider, this.#failures), {
      clock,
      ...(random && { random }),
      ...(codec && { codec }),
      ...(logger && { logger }),
    });
  }

  /**
   * If several activities have one name, the last is used, so mocks may follow a list of real ones.
   *
   * @example
   * ```ts
   * await using env = await TestEnvironment.create({ orchestrations, activities });
   * ```
   */
  static async create(options: TestEnvironmentOptions): Promise<TestEnvironment> {
    checkTestEnvironment("TestEnvironment.create", options);
    // The runtime loads this code at the first turn of a schedule. That takes real time, in which the clock would go on.
    await import("../../runtime/turns/run-schedule.ts");
    const clock = new EnvironmentClock(options.startMs);
    const random = new SeededRandom("locks");
    const logger = options.logger === undefined ? stderrLogger() : toLogger(options.logger, clock);
    const onWarning = warningsTo(logger);
    const provider = (await options.provider?.(clock)) ?? new MemoryProvider({ clock, random, onWarning });
    const environment = new TestEnvironment({ ...options, logger }, clock, provider);
    try {
      await environment.#startRuntime(environment.#options);
      return environment;
    } catch (error) {
      await provider[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Starts an instance and returns when it waits for the first time.
   *
   * @example
   * ```ts
   * const run = await env.start(checkout, { input: order, instanceId: "order-42" });
   * ```
   */
  async start<
    O extends AnyOrchestration | string,
    Events extends readonly unknown[] = [],
    Messages extends readonly unknown[] = [],
  >(
    orchestration: O,
    ...args: StartArguments<O, Events, Messages>
  ): Promise<TestRun<ResultOf<O>, CustomStatusOf<O>>> {
    const handle = await this.client.start<O, Events, Messages>(orchestration, ...args);
    await this.#settle();
    return this.#runOf(handle);
  }

  /**
   * The run of an instance that the test did not start: a sub-orchestration, a detached start.
   *
   * @example
   * ```ts
   * const child = env.run(checkout, "order-42::child"); // one that the test did not start
   * ```
   */
  run<O extends AnyOrchestration | string>(
    orchestration: O,
    instanceId: string,
  ): TestRun<ResultOf<O>, CustomStatusOf<O>> {
    return this.#runOf(this.client.handle(orchestration, instanceId));
  }

  /**
   * Advances the clock. Timers fire in order, and all work of one timer runs before the next fires. UnseenFailuresError
   * if instances failed before and the test did not read the failures.
   *
   * @example
   * ```ts
   * await env.advance({ hours: 25 }); // fires the timers in between, without waiting
   * ```
   */
  async advance(duration: Duration): Promise<void> {
    this.#failures.report();
    await this.#advance(duration);
  }

  /**
   * Runs all work that is due now. Needed only after events that the environment cannot observe, such as a promise of a
   * mock. UnseenFailuresError if instances failed before and the test did not read the failures.
   *
   * @example
   * ```ts
   * await env.settle(); // runs what is due now
   * ```
   */
  async settle(): Promise<void> {
    this.#failures.report();
    await this.#settle();
  }

  /**
   * The test need not read failures of the instance; without an argument, of all instances of this environment.
   *
   * @example
   * ```ts
   * env.ignoreFailures(run); // the test expects that it fails
   * ```
   */
  ignoreFailures(run?: TestRun<unknown> | string): void {
    this.#failures.ignore(idOf(run));
  }

  /**
   * The calls of the handler of an activity, or of a step, in the order in which they began.
   *
   * @example
   * ```ts
   * const [first] = env.calls(charge); // input, attempt, outcome
   * ```
   */
  calls<Input, Output, Parsed>(
    activity: ActivityDefinition<Input, Output, Parsed>,
  ): readonly ActivityCall<Parsed, Output>[];
  calls(activity: string): readonly ActivityCall[];
  calls(activity: ActivityDefinition<unknown, unknown, unknown> | string): readonly ActivityCall[] {
    return this.#recorder.calls(typeof activity === "string" ? activity : activity.name);
  }

  /**
   * The timers of all instances, or of the given one, in the order in which they were set.
   *
   * @example
   * ```ts
   * const [deadline] = env.timers(run);
   * ```
   */
  timers(run?: TestRun<unknown> | string): readonly TimerRecord[] {
    return timersOf(this.#history, idOf(run));
  }

  /**
   * The sub-orchestrations and detached starts of all instances, or of the given one.
   *
   * @example
   * ```ts
   * const started = env.children(run);
   * ```
   */
  children(run?: TestRun<unknown> | string): readonly ChildRecord[] {
    return childrenOf(this.#history, this.#codec, idOf(run));
  }

  /**
   * The events and queue messages that all instances, or the given one, received, in their order.
   *
   * @example
   * ```ts
   * const received = env.events(run);
   * ```
   */
  events(run?: TestRun<unknown> | string): readonly EventRecord[] {
    return eventsOf(this.#history, this.#codec, idOf(run));
  }

  /**
   * Simulates a crash: a new process continues on the same store, with the handlers or options in `changes`. Activities
   * in flight are delivered again when their locks expire (after 30 seconds by default).
   *
   * @example
   * ```ts
   * await env.restart({ orchestrations, activities }); // the process dies, another one takes over
   * ```
   */
  async restart(
    changes: Omit<TestEnvironmentOptions, "provider" | "startMs" | "patienceMs"> = {},
  ): Promise<void> {
    checkTestEnvironment("restart", changes);
    await this.#runtime?.shutdown({ graceMs: 0 });
    await this.#startRuntime({ ...this.#options, ...changes });
    await this.#settle();
  }

  /**
   * Like `settle`, and waits until no call is advancing the clock.
   *
   * @example
   * ```ts
   * await env.untilStill();
   * ```
   */
  async untilStill(): Promise<void> {
    do await this.#settle();
    while (this.#moves > 0);
  }

  /**
   * The open waits of an idle instance.
   *
   * @example
   * ```ts
   * const waits = await env.waitsOf("order-42");
   * ```
   */
  async waitsOf(instanceId: string): Promise<readonly Wait[]> {
    return this.#parts === undefined ? [] : waitsOf(this.#parts, instanceId);
  }

  /**
   * Pending calls, such as a result that the test returns, still settle. After all parts are closed,
   * UnseenFailuresError if instances failed and the test did not read the failures.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.untilStill();
    await this.#runtime?.shutdown({ graceMs: 0 });
    await this.provider[Symbol.asyncDispose]();
    this.#failures.report();
  }

  get #codec(): PayloadCodec {
    return this.#options.codec ?? jsonCodec;
  }

  #runOf<Output, Shown>(handle: InstanceHandle<Output, Shown>): TestRun<Output, Shown> {
    return new TestRun(handle, {
      clock: this.clock,
      failures: this.#failures,
      settle: () => this.#settle(),
      untilStill: () => this.untilStill(),
      advance: (ms) => this.#advance(ms),
      waitsOf: (instanceId) => this.waitsOf(instanceId),
      readHistory: async (instanceId, executionId) =>
        wholeInputs(await this.provider.readHistory(instanceId, executionId)),
    });
  }

  async #advance(duration: Duration): Promise<void> {
    const endMs = this.clock.now() + durationMs(duration, "advance: the duration");
    this.#moves++;
    try {
      await this.#settle();
      for (
        let dueMs = this.clock.nextDueMs;
        dueMs !== undefined && dueMs <= endMs;
        dueMs = this.clock.nextDueMs
      ) {
        await this.clock.advance(Math.max(0, dueMs - this.clock.now()));
        await this.#settle();
      }
      await this.clock.advance(Math.max(0, endMs - this.clock.now()));
    } finally {
      this.#moves--;
    }
  }

  async #settle(): Promise<void> {
    const { patienceMs } = this.#options;
    do await this.clock.settle();
    while (await this.#recorder.awaitHandler(patienceMs));
  }

  async #startRuntime(options: TestEnvironmentOptions): Promise<void> {
    const {
      provider: _provider,
      startMs: _startMs,
      patienceMs: _patienceMs,
      mockAll = false,
      ...given
    } = options;
    const { clock, provider } = this;
    const recorder = this.#recorder;
    const { random } = this.#options;
    const { orchestrations = [], activities = [], codec = jsonCodec, versionPolicies } = given;
    this.#parts = {
      provider,
      clock,
      codec,
      registry: new OrchestrationRegistry(orchestrations, versionPolicies),
      recorder,
      activityNames: new Set(activities.map(({ name }) => name)),
    };
    this.#runtime = await Runtime.start({
      ...TEST_DEFAULTS,
      ...(random && { random }),
      ...given,
      activities: recorder.record(mockAll ? mocksOnly(activities) : activities),
      orchestrations: withSteps(orchestrations, {
        recorder,
        activities,
        refusal: mockAll ? refusalOfStep : undefined,
      }),
      provider: this.#recorded,
      clock,
    });
  }
}

function idOf(run: TestRun<unknown> | string | undefined): string | undefined {
  return typeof run === "object" ? run.instanceId : run;
}

/** The same activities; the handlers of those that are not mocked throw. */
function mocksOnly(activities: readonly AnyActivity[]): AnyActivity[] {
  return activities.map((definition) =>
    definition.isMock ? definition : definition.mock(refusal(definition.name)),
  );
}

function refusal(name: string): () => never {
  return refused(
    `activity ${JSON.stringify(name)}`,
    `${name}.mock(async (ctx, input) => …)`,
    ", after the real one",
  );
}

function refusalOfStep(name: string): () => never {
  return refused(`step ${JSON.stringify(name)}`, `activity(${JSON.stringify(name)}, async (ctx) => …)`, "");
}

function refused(what: string, mock: string, where: string): () => never {
  return () => {
    throw new NonRetryableError(
      `${what} is not mocked, and mockAll is set: add ${mock} to \`activities\`${where}, or leave mockAll out`,
    );
  };
}
