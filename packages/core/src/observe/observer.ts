/**
 * Writes the metrics, spans and lifecycle log entries of a runtime. Metrics and spans need a meter and a tracer. The
 * runtime reports events; this object decides what is written for them. It does not write to the store: the runtime
 * adds the trace fields to commits.
 */
import type { Clock } from "../contract/clock.ts";
import type { FetchedWork, Provider, TurnContent } from "../contract/provider.ts";
import type { Logger } from "../define/logger.ts";
import { observerCalls } from "../define/observers.ts";
import type { ExecutionEnd, ObservedExecution, ObservedTurn } from "./execution.ts";
import { registerGauges } from "./gauges.ts";
import { InstanceTraces } from "./instance-traces.ts";
import { createInstruments } from "./instruments.ts";
import { measureProvider } from "./measured-provider.ts";
import { type Meter, toMeter } from "./meter.ts";
import { ObservedActivity } from "./observed-activity.ts";
import { reportTurn } from "./observed-turn.ts";
import type { ObserverTools } from "./observer-tools.ts";
import type { Tracer } from "./tracer.ts";
import { Tracing } from "./tracing.ts";

export interface ObserverOptions {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: Meter | undefined;
  readonly tracer: Tracer | undefined;
}

export class Observer implements Disposable {
  /** The store for the runtime: measured, if there is a meter. */
  readonly provider: Provider;
  /** The logger for the runtime: with a tracer, entries about an instance are written with its trace active. */
  readonly logger: Logger;
  /** Absent without a tracer. */
  readonly traces: InstanceTraces | undefined;
  readonly #tools: ObserverTools;
  readonly #removeGauges: (() => void) | undefined;

  private constructor(options: ObserverOptions, tracing: Tracing | undefined) {
    const { provider, clock } = options;
    this.traces = tracing && new InstanceTraces(tracing);
    const logger = this.traces?.logger(options.logger) ?? options.logger;
    this.logger = logger;
    const calls = observerCalls("meter", options);
    const meter = options.meter && toMeter(options.meter, calls);
    const instruments = meter && createInstruments(meter);
    this.#tools = { clock, logger, instruments, tracing };
    this.provider = instruments === undefined ? provider : measureProvider(provider, clock, instruments);
    const { admin, limits } = provider;
    this.#removeGauges = meter && admin && registerGauges({ meter, calls, admin, limits, clock, logger });
  }

  static async create(options: ObserverOptions): Promise<Observer> {
    return new Observer(options, options.tracer && (await Tracing.load(options.tracer, options)));
  }

  /** Creates the spans of starts that commits write. */
  get tracing(): Tracing | undefined {
    return this.#tools.tracing;
  }

  /** Whether turns are counted. */
  get isMetered(): boolean {
    return this.#tools.instruments !== undefined;
  }

  /** Called after the commit of a turn; `end` is absent if the execution continues. */
  turnCommitted(turn: ObservedTurn, ack: TurnContent, end: ExecutionEnd | undefined): void {
    reportTurn(this.#tools, turn, ack, end);
  }

  /** Called when the store did not commit the turn: it will run again, in this or another process. */
  turnNotCommitted({ name: orchestration_name }: ObservedExecution): void {
    const labels = { orchestration_name, error_category: "infrastructure" };
    this.#tools.instruments?.infrastructureErrors.add(1, labels);
  }

  activity(fetched: FetchedWork, workerId: string): ObservedActivity {
    return new ObservedActivity(this.#tools, fetched, workerId);
  }

  /** Called after the commit that starts the run of a due time, so many ms late. */
  scheduleStarted(orchestration_name: string, latenessMs: number): void {
    this.#tools.instruments?.scheduleLateness.record(Math.max(0, latenessMs) / 1_000, { orchestration_name });
  }

  scheduleFailed(orchestration_name: string): void {
    this.#tools.instruments?.scheduleFailures.add(1, { orchestration_name });
  }

  poisonedOrchestration(): void {
    this.#tools.instruments?.poison.add(1);
  }

  poisonedActivity(): void {
    this.#tools.instruments?.activityPoison.add(1);
  }

  /** Removes the gauges from the meter. */
  [Symbol.dispose](): void {
    this.#removeGauges?.();
  }
}
