/**
 * The part of OpenTelemetry's `Meter` that is used here: every meter of @opentelemetry/api fits. It is stated
 * again so that these types compile for people who have no OpenTelemetry installed (docs/decisions/0009).
 */

export type Labels = Readonly<Record<string, string>>;

export interface InstrumentOptions {
  readonly description?: string;
  /** UCUM: "s" for seconds, "{event}" for a count of events. */
  readonly unit?: string;
  /** Where a histogram's buckets end, unless a view of the application says otherwise. */
  readonly advice?: { explicitBucketBoundaries?: number[] };
}

export interface Counter {
  add(value: number, labels?: Labels): void;
}

export interface Histogram {
  record(value: number, labels?: Labels): void;
}

/** Is only passed on, so nothing is asked of it. */
export type ObservableGauge = object;

export interface GaugeReadings {
  observe(gauge: ObservableGauge, value: number): void;
}

export type GaugeCallback = (readings: GaugeReadings) => void | Promise<void>;

export interface Meter {
  createCounter(name: string, options?: InstrumentOptions): Counter;
  createHistogram(name: string, options?: InstrumentOptions): Histogram;
  createObservableGauge(name: string, options?: InstrumentOptions): ObservableGauge;
  addBatchObservableCallback(callback: GaugeCallback, gauges: ObservableGauge[]): void;
  removeBatchObservableCallback(callback: GaugeCallback, gauges: ObservableGauge[]): void;
}
