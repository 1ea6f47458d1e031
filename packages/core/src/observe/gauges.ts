/**
 * Gauges of the whole store. The store is queried only when metrics are collected, so an unread meter costs nothing,
 * and at most once a minute, because counting may be expensive. All runtimes of a store report the same
 * numbers: across runtimes take one of them, not their sum.
 */
import type { ProviderAdmin, QueueDepths } from "../contract/admin.ts";
import { type Clock, hasPassed } from "../contract/clock.ts";
import type { LimitState, ProviderLimits } from "../contract/limits.ts";
import type { Logger } from "../define/logger.ts";
import type { ObserverCalls } from "../guard/observer-calls.ts";
import type { GaugeCallback, Meter } from "./meter.ts";

export interface GaugeOptions {
  readonly meter: Meter;
  readonly calls: ObserverCalls;
  readonly admin: ProviderAdmin;
  /** Absent where the store has none. */
  readonly limits: ProviderLimits | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

const POLL_INTERVAL_MS = 60_000;

/** Returns a function that removes the gauges. */
export function registerGauges(options: GaugeOptions): () => void {
  const { meter, calls } = options;
  const gauge = (name: string, description: string): object =>
    meter.createObservableGauge(`duroxide_${name}`, { description });
  const active = gauge("active_orchestrations", "Instances that are running");
  const orchestrator = gauge(
    "orchestrator_queue_depth",
    "Orchestrator messages that are visible and not locked",
  );
  const worker = gauge("worker_queue_depth", "Activities that are visible and not locked");
  const blocked = gauge("blocked_work", "Instances and activities that wait for fitting code");
  const limitRunning = gauge("limit_running", "Activities and instances that run under a limit, by its rule");
  const limitWaiting = gauge(
    "limit_waiting",
    "Activities and instances that wait, by the rule of their limit",
  );
  const gauges = [active, orchestrator, worker, blocked, limitRunning, limitWaiting];
  const store = new PolledStore(options);
  const callback: GaugeCallback = async (readings) => {
    const figures = await store.figures();
    if (figures === undefined) return;
    calls.call(() => {
      readings.observe(active, figures.runningInstances);
      readings.observe(orchestrator, figures.orchestratorQueue);
      readings.observe(worker, figures.workerQueue);
      if (figures.blockedWork !== undefined) readings.observe(blocked, figures.blockedWork);
      for (const { limit, running, waiting } of figures.limits) {
        if (limit === undefined) continue;
        readings.observe(limitRunning, running, { limit: limit.key });
        readings.observe(limitWaiting, waiting, { limit: limit.key });
      }
    });
  };
  meter.addBatchObservableCallback(callback, gauges);
  return () => meter.removeBatchObservableCallback(callback, gauges);
}

/** Rules that have gauges: each is a value of a label. */
const MOST_RULES = 100;

interface Figures extends QueueDepths {
  readonly limits: readonly LimitState[];
}

class PolledStore {
  readonly #options: GaugeOptions;
  #latest: Promise<Figures | undefined> = Promise.resolve(undefined);
  #polledAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: GaugeOptions) {
    this.#options = options;
  }

  /** `undefined` if the query failed. */
  figures(): Promise<Figures | undefined> {
    const { clock } = this.#options;
    const nowMs = clock.now();
    if (hasPassed(nowMs, this.#polledAtMs, POLL_INTERVAL_MS)) {
      this.#polledAtMs = nowMs;
      this.#latest = this.#ask();
    }
    return this.#latest;
  }

  async #ask(): Promise<Figures | undefined> {
    const { admin, limits, logger } = this.#options;
    try {
      const isAsked = limits !== undefined && limits.mayHoldWork !== false;
      const [depths, rules] = await Promise.all([admin.getQueueDepths(), isAsked ? limits.listLimits() : []]);
      return { ...depths, limits: rules.slice(0, MOST_RULES) };
    } catch (error) {
      logger.debug({ event: "gauges_failed", error }, "the store's figures for the gauges could not be read");
      return undefined;
    }
  }
}
