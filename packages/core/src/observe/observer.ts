/**
 * Everybody who watches a runtime, behind one object: metrics and spans where a meter and a tracer were given, and
 * the lifecycle entries of the log. The runtime says what happened; what becomes of that is decided here.
 */
import type { Clock } from "../contract/clock.ts";
import type { FetchedWork, Provider } from "../contract/provider.ts";
import type { Logger } from "../define/logger.ts";
import type { HistoryEvent } from "../wire/event.ts";
import type { ObservedExecution } from "./execution.ts";
import { registerGauges } from "./gauges.ts";
import { createInstruments } from "./instruments.ts";
import { measureProvider } from "./measured-provider.ts";
import type { Meter } from "./meter.ts";
import { ObservedActivity } from "./observed-activity.ts";
import { ObservedTurn } from "./observed-turn.ts";
import type { ObserverTools } from "./observer-tools.ts";
import type { Tracer } from "./tracer.ts";
import { Tracing } from "./tracing.ts";
import { TurnCounts } from "./turn-count.ts";

export interface ObserverOptions {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: Meter | undefined;
  readonly tracer: Tracer | undefined;
  readonly gaugePollIntervalMs: number;
}

export class Observer implements Disposable {
  /** The store as the runtime should use it: measured, where somebody measures. */
  readonly provider: Provider;
  readonly #tools: ObserverTools;
  readonly #turnCounts = new TurnCounts();
  readonly #removeGauges: (() => void) | undefined;

  private constructor(options: ObserverOptions, tracing: Tracing | undefined) {
    const { provider, clock, logger, meter, gaugePollIntervalMs: pollIntervalMs } = options;
    const instruments = meter && createInstruments(meter);
    this.#tools = { clock, logger, instruments, tracing };
    this.provider = instruments === undefined ? provider : measureProvider(provider, clock, instruments);
    const { admin } = provider;
    this.#removeGauges = meter && admin && registerGauges({ meter, admin, clock, logger, pollIntervalMs });
  }

  static async create(options: ObserverOptions): Promise<Observer> {
    return new Observer(options, options.tracer && (await Tracing.load(options.tracer)));
  }

  /** What `call` sets going must not live in the span of whoever happened to call: a runtime outlives it. */
  outside<T>(call: () => T): T {
    const { tracing } = this.#tools;
    return tracing === undefined ? call() : tracing.outside(call);
  }

  /** `memory` stands for the execution's events where `history` is not read again. */
  turn(execution: ObservedExecution, memory: object, history: readonly HistoryEvent[]): ObservedTurn {
    const counts = this.#tools.instruments !== undefined && execution.eventsBefore > 0;
    const before = counts ? this.#turnCounts.before(memory, history) : 0;
    return new ObservedTurn(this.#tools, execution, before + 1);
  }

  /** The execution goes on, and its history may not be read again. */
  rememberTurns({ turn }: ObservedTurn, memory: object): void {
    if (this.#tools.instruments !== undefined) this.#turnCounts.remember(memory, turn);
  }

  activity(fetched: FetchedWork, workerId: string): ObservedActivity {
    return new ObservedActivity(this.#tools, fetched, workerId);
  }

  poisonedOrchestration(): void {
    this.#tools.instruments?.poison.add(1);
  }

  poisonedActivity(): void {
    this.#tools.instruments?.activityPoison.add(1);
  }

  /** Nobody is asked for gauges any more. */
  [Symbol.dispose](): void {
    this.#removeGauges?.();
  }
}
