/**
 * Runs orchestrations and activities of one store in this process, until it is shut down.
 *
 * - runtime.R1: Each runtime makes its own parts, and two runtimes of a process share none but the patched globals of
 *   the guard, which count their users.
 * - runtime.R2: A shutdown has three stages: no slot fetches (`#stopping`); work in flight has its grace, and its locks
 *   are renewed; then locks are left to expire and outcomes are not stored any more (`#graceOver`). So a handler that
 *   ignores the shutdown cannot store an outcome after its work was handed out elsewhere.
 * - runtime.R3: `#finished` settles when the last slot has. It may never do so, because a handler may never end; no
 *   stage of the shutdown waits for it without a limit.
 */
import { Client } from "../client/client.ts";
import { applyLimits } from "../client/limit-calls.ts";
import { nextDueMs } from "../client/next-due.ts";
import { type Clock, sleep } from "../contract/clock.ts";
import { onAbort } from "../contract/on-abort.ts";
import { type Duration, dueMs } from "../define/duration.ts";
import { ConfigurationError, InvalidInputError } from "../errors/duroxide-error.ts";
import { installPatches } from "../guard/patches.ts";
import { interceptRejections } from "../guard/rejections.ts";
import { outside } from "../host/outside.ts";
import { Observer } from "../observe/observer.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";
import { jsonCodec } from "../payload/json-codec.ts";
import { formatSemver, SUPPORTED_VERSIONS } from "../wire/version.ts";
import { ActivityDispatcher } from "./activities/activity-dispatcher.ts";
import { HandlerStarts } from "./activities/handler-starts.ts";
import { keepSessions } from "./activities/session-keeper.ts";
import { Steps } from "./activities/steps.ts";
import { workerIdOf } from "./activities/worker-slots.ts";
import { endingClock } from "./ending-clock.ts";
import { IdleWatch, type Look } from "./idle-watch.ts";
import { HeldLocks } from "./locks/held-locks.ts";
import { type ResolvedOptions, type RuntimeSettings, resolveOptions } from "./options/options.ts";
import type { RuntimeOptions } from "./options/runtime-options.ts";
import { ActivityRegistry, OrchestrationRegistry } from "./registry.ts";
import { keepRetention } from "./retention.ts";
import { InHand } from "./running/in-hand.ts";
import { RunningActivities } from "./running/running-activities.ts";
import { runSlots } from "./slots.ts";
import { BlockedLog } from "./trouble/blocked-log.ts";
import { LoneRuns } from "./trouble/lone-runs.ts";
import { LoopWatch } from "./trouble/loop-watch.ts";
import { LostEventLog } from "./trouble/lost-events.ts";
import { StoreHealth } from "./trouble/store-health.ts";
import { StrayExecutions } from "./trouble/stray-executions.ts";
import { ExecutionCache, shareOfMemory } from "./turns/execution-cache.ts";
import { FusedTurns } from "./turns/fused-turns.ts";
import { OrchestrationDispatcher } from "./turns/orchestration-dispatcher.ts";
import type { DispatcherParts, RuntimeParts } from "./turns/parts.ts";
import { ScheduleMemory } from "./turns/schedule-memory.ts";
import { TraceStamps } from "./turns/stamp-trace.ts";
import { StepMemory } from "./turns/step-memory.ts";
import { TurnSlots } from "./turns/turn-slots.ts";
import { WorkerReports } from "./worker-report.ts";

/** How a runtime is stopped. */
export interface ShutdownOptions {
  /** Longest time of the shutdown, in which turns and activities in flight may end, ms; 1 s by default, 0 does not wait. */
  readonly graceMs?: number;
}

const SHUTDOWN_OPTIONS: OptionList = optionList<ShutdownOptions>({ graceMs: true });

/** How long a runtime drains, and how it is stopped then. */
export interface DrainOptions extends ShutdownOptions {
  /** The time to stop at, or how long from now. The grace comes after it. */
  readonly until: Duration | Date;
}

const DRAIN_OPTIONS: OptionList = optionList<DrainOptions>({ until: true, graceMs: true });

/** The end of a drain. */
export interface Drained {
  /**
   * `idle`: nothing was due any more that this runtime could do. `time`: there may be more to do now. `shutdown`: the
   * runtime was shut down meanwhile.
   */
  readonly reason: "idle" | "time" | "shutdown";
  /** The time of the next timer of the store, ms since the epoch, where the reason is `idle` and there is one. */
  readonly nextDueMs?: number;
}
const DEFAULT_GRACE_MS = 1_000;
/**
 * The last part of a grace, ms, but at most its second half: the store discounts what still runs. It has this long to
 * answer, and the runs go on.
 */
const FORGIVE_MS = 1_000;

/** Runs orchestrations and activities of one store in this process, until it is shut down. Opens no port. */
export class Runtime implements AsyncDisposable {
  readonly #settings: RuntimeSettings;
  readonly #cache: ExecutionCache;
  readonly #running = new RunningActivities();
  /** No further work is fetched. */
  readonly #stopping = new AbortController();
  /** The shutdown has stopped waiting for work in flight. */
  readonly #graceOver = new AbortController();
  readonly #finished: Promise<void>;
  /** Settles when the last slot has ended, or when the grace is over. */
  readonly #ended: Promise<void>;
  /** The request that what the shutdown will cut off counts as no attempt; once, also with several graces. */
  #forgiven: Promise<void> | undefined;
  #graceEndsAtMs = Number.POSITIVE_INFINITY;
  /** Set when the slots run. */
  #idleWatch: IdleWatch | undefined;
  #draining: Promise<Drained> | undefined;

  private constructor(settings: RuntimeSettings, registries: Registries | undefined) {
    if (registries === undefined) {
      throw new ConfigurationError("new Runtime: begin it with await Runtime.start(options)");
    }
    this.#settings = { ...settings, clock: endingClock(settings.clock, this.#graceOver.signal) };
    this.#cache = new ExecutionCache({
      maxCount: settings.liveExecutions,
      maxBytes: shareOfMemory(),
    });
    const removePatches = settings.determinismGuard === "off" ? () => {} : installPatches();
    const { version, name } = settings.provider;
    const { min, max } = SUPPORTED_VERSIONS;
    settings.logger.info(
      {
        event: "runtime_started",
        provider: name,
        provider_version: version,
        supported: `${formatSemver(min)} to ${formatSemver(max)}`,
      },
      "duroxide runtime started",
    );
    const passRejections = interceptRejections();
    this.#finished = this.#run(registries);
    const graceOver = new Promise<void>((resolve) => onAbort(this.#graceOver.signal, resolve));
    this.#ended = Promise.race([this.#finished, graceOver]).finally(() => {
      removePatches();
      passRejections();
      settings.observer[Symbol.dispose]();
    });
  }

  /**
   * Starts at once. Throws a ConfigurationError for handlers that conflict, and if there are none.
   *
   * @example
   * ```ts
   * await using runtime = await Runtime.start({ provider, orchestrations: [checkout], activities: [charge] });
   * ```
   */
  static async start(options: RuntimeOptions): Promise<Runtime> {
    const resolved = resolveOptions(options);
    const registries = {
      orchestrations: new OrchestrationRegistry(resolved.orchestrations, resolved.versionPolicies),
      activities: new ActivityRegistry(resolved.activities),
    };
    if (registries.orchestrations.isEmpty && registries.activities.isEmpty) {
      throw new ConfigurationError("Runtime.start needs at least one orchestration or activity");
    }
    await applyLimits(resolved.provider, resolved.limits);
    const observer = await Observer.create(resolved);
    const { provider, logger } = observer;
    const settings = { ...resolved, provider, logger, observer, client: clientOf(options, resolved) };
    if (resolved.schedules.length > 0) await settings.client().schedules.apply(resolved.schedules);
    return outside(() => new Runtime(settings, registries));
  }

  /**
   * Stops fetching, lets what is in flight finish, and resolves as soon as everything has, or after `graceMs`, also while
   * the store hangs. Work that is cut off is handed out again when its lock expires, and that counts as an attempt with a
   * grace of 0, which is like a crash, and if the store did not answer. May be called again: the shortest grace counts.
   *
   * @example
   * ```ts
   * const runtime = await Runtime.start({ provider, orchestrations, activities });
   * process.once("SIGTERM", () => runtime.shutdown({ graceMs: 20_000 }));
   * ```
   */
  async shutdown(options: ShutdownOptions = {}): Promise<void> {
    const graceMs = checkedGrace(options);
    // Signals of handlers abort in it.
    await outside(() => this.#shutdown(graceMs));
  }

  /**
   * Works until nothing is due any more, or until that time, and shuts down: for hosts that call a program now and then
   * (docs/guide/17-hosting.md). What is due later does not keep it. At that time the rules of `shutdown` hold for what is
   * in flight, so it resolves after `graceMs` at the latest.
   *
   * @example
   * ```ts
   * await using runtime = await Runtime.start({ provider, orchestrations: [checkout], activities: [charge] });
   * const { reason, nextDueMs } = await runtime.drain({ until: { seconds: 50 } });
   * ```
   */
  async drain(options: DrainOptions): Promise<Drained> {
    checkOptions("drain", options ?? null, DRAIN_OPTIONS);
    const { until, graceMs } = options;
    const { clock } = this.#settings;
    const untilMs = dueMs(until, clock.now(), "drain: until");
    const shutdown = graceMs === undefined ? {} : { graceMs };
    checkedGrace(shutdown);
    if (this.#stopping.signal.aborted || this.#idleWatch === undefined) {
      throw new InvalidInputError("drain: the runtime was shut down; start another one with Runtime.start");
    }
    this.#draining = this.#drain(this.#idleWatch, untilMs, shutdown);
    return this.#draining;
  }

  async #drain(idleWatch: IdleWatch, untilMs: number, shutdown: ShutdownOptions): Promise<Drained> {
    const reason = await idleWatch.until(untilMs);
    await this.shutdown(shutdown);
    if (reason !== "idle") return { reason };
    const { provider, clock } = this.#settings;
    const dueAtMs = await nextDueMs(provider.admin, clock.now());
    return dueAtMs === undefined ? { reason } : { reason, nextDueMs: dueAtMs };
  }

  async #shutdown(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const { clock } = this.#settings;
    const endsAtMs = clock.now() + graceMs;
    if (endsAtMs < this.#graceEndsAtMs) {
      this.#graceEndsAtMs = endsAtMs;
      void this.#endGraceAfter(clock, graceMs);
    }
    await this.#ended;
    this.#running.abandonAll();
    this.#cache.clear();
  }

  /** Shuts down with the default grace, after a drain that is under way: `return runtime.drain(…)` leaves its block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#draining?.catch(() => {});
    await this.shutdown();
  }

  async #endGraceAfter(clock: Clock, graceMs: number): Promise<void> {
    const finished = new AbortController();
    void this.#finished.finally(() => finished.abort());
    if (graceMs > 0) {
      const forgiveMs = Math.min(FORGIVE_MS, graceMs / 2);
      await sleep(clock, graceMs - forgiveMs, finished.signal);
      this.#forgiven ??= this.#running.forgiveAll();
      await sleep(clock, forgiveMs, finished.signal);
    }
    this.#graceOver.abort();
  }

  async #run({ orchestrations, activities }: Registries): Promise<void> {
    const settings = this.#settings;
    const runtimeId = settings.random.uuid();
    const parts = this.#sharedParts();
    const orchestrationParts: RuntimeParts = {
      ...parts,
      registry: orchestrations,
      cache: this.#cache,
      lostEvents: new LostEventLog(settings.clock, settings.logger),
      guard: {
        mode: settings.determinismGuard,
        warn: (message) => settings.logger.warn({ event: "nondeterministic_call" }, message),
      },
      strayExecutions: new StrayExecutions(settings),
      stamps: new TraceStamps(settings.observer, settings.clock),
      onActivitiesCancelled: (ids) => this.#running.cancel(ids),
      turnSlots: new TurnSlots(settings.orchestrationConcurrency),
      steps: new StepMemory(),
      schedules: new ScheduleMemory(),
      limitOfActivity: (name) => activities.get(name)?.limit,
    };
    const fused = this.#fusedTurns(orchestrationParts);
    const orchestrationDispatcher = new OrchestrationDispatcher(orchestrationParts, fused);
    const activityDispatcher = new ActivityDispatcher({
      ...parts,
      registry: activities,
      orchestrations,
      steps: new Steps(orchestrationParts),
      running: this.#running,
      starts: new HandlerStarts(settings.clock),
      fused,
      runtimeId,
    });
    const reports = new WorkerReports({
      settings,
      runtimeId,
      orchestrations,
      activities,
      running: this.#running,
      turnSlots: orchestrationParts.turnSlots,
    });
    const { clock, minPollIntervalMs, longPollTimeoutMs } = settings;
    const { health, loneRuns, inHand } = parts;
    const stopping = this.#stopping.signal;
    const common = { clock, health, loneRuns, minPollIntervalMs, stopping };
    using _watch = parts.loopWatch;
    const turns = {
      queue: "orchestrations",
      // Without orchestrations it could only give back batches that other processes handle.
      count: orchestrations.isEmpty ? 0 : settings.orchestrationConcurrency,
      work: () => orchestrationDispatcher.work(longPollTimeoutMs),
    } as const;
    const calls = {
      queue: "activities",
      count:
        orchestrations.isEmpty && settings.workerTagFilter.kind === "none" ? 0 : settings.workerConcurrency,
      work: (slot: number) => activityDispatcher.work(slot, longPollTimeoutMs),
    } as const;
    const looks: Look[] = [];
    if (turns.count > 0) looks.push({ queue: turns.queue, work: () => orchestrationDispatcher.work(0) });
    if (calls.count > 0)
      looks.push({ queue: calls.queue, work: () => activityDispatcher.work(calls.count, 0) });
    const idleWatch = new IdleWatch({ clock, health, loneRuns, inHand, stopping, looks });
    this.#idleWatch = idleWatch;
    await Promise.all([
      runSlots({ ...common, ...turns }),
      Promise.all([runSlots({ ...common, ...calls }), idleWatch.ended()]).then(() =>
        activityDispatcher.ended(),
      ),
      keepSessions(settings, this.#ownerIds(runtimeId), stopping),
      this.#keepRetention(stopping),
      reports.send(stopping),
    ]);
    await reports.remove();
  }

  async #keepRetention(stopping: AbortSignal): Promise<void> {
    const { provider, retention, clock, random, logger } = this.#settings;
    if (retention === undefined) return;
    const isCharged = provider.requestUnits !== undefined;
    await keepRetention({ admin: provider.admin, isCharged, retention, clock, random, logger }, stopping);
  }

  #fusedTurns(parts: RuntimeParts): FusedTurns | undefined {
    if (this.#settings.provider.maxFusedActivities === 0) return undefined;
    return new FusedTurns({ parts, stopping: this.#stopping.signal });
  }

  /**
   * Makes the parts that both dispatchers share. The health of the store aborts fetches through `loneRuns`, which owns
   * their signal.
   */
  #sharedParts(): DispatcherParts {
    const settings = this.#settings;
    const { clock, logger, random, onStoreTrouble } = settings;
    const stopping = this.#stopping.signal;
    const locks = new HeldLocks();
    const loneRuns = new LoneRuns(clock, stopping);
    const interruptFetches = (): void => loneRuns.interruptFetches();
    const shortestLockMs = Math.min(settings.orchestratorLockTimeoutMs, settings.workerLockTimeoutMs);
    return {
      settings,
      locks,
      inHand: new InHand(),
      health: new StoreHealth({ clock, random, logger, stopping, onStoreTrouble, interruptFetches }),
      loneRuns,
      loopWatch: new LoopWatch({ clock, logger, shortestLockMs, onStall: () => locks.renewStale() }),
      blockedLog: new BlockedLog(clock, logger),
      graceOver: this.#graceOver.signal,
    };
  }

  /**
   * Ids of the owners of sessions. A `workerNodeId` makes all slots one owner, and a new process of that name owns them
   * again.
   */
  #ownerIds(runtimeId: string): readonly string[] {
    const { workerNodeId, workerConcurrency } = this.#settings;
    if (workerNodeId !== undefined) return [workerNodeId];
    return Array.from({ length: workerConcurrency }, (_, slot) => workerIdOf(slot, runtimeId));
  }
}

/** Asks the provider that was given, as other clients of the process do, so that they wait together. */
function clientOf(
  { provider, codec = jsonCodec }: RuntimeOptions,
  { maxPayloadBytes, logger, clock, random, tracer }: ResolvedOptions,
): () => Client {
  let client: Client | undefined;
  return () => {
    client ??= new Client(provider, {
      codec,
      maxPayloadBytes,
      logger,
      clock,
      random,
      ...(tracer !== undefined && { tracer }),
    });
    return client;
  };
}

function checkedGrace(options: ShutdownOptions): number {
  checkOptions("shutdown", options, SHUTDOWN_OPTIONS);
  const { graceMs = DEFAULT_GRACE_MS } = options;
  if (typeof graceMs === "number" && graceMs >= 0) return graceMs;
  throw new InvalidInputError(`shutdown: graceMs must be a number of 0 or more; got ${shown(graceMs)}`);
}

interface Registries {
  readonly orchestrations: OrchestrationRegistry;
  readonly activities: ActivityRegistry;
}
