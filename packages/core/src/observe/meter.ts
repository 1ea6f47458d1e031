/**
 * The part of OpenTelemetry's `Meter` that is used here: every meter of @opentelemetry/api fits. It is stated
 * again so that these types compile for people who have no OpenTelemetry installed (docs/decisions/0009).
 */

/** The dimensions of a measurement. */
export type Labels = Readonly<Record<string, string>>;

/** What an instrument is called and counts. */
export interface InstrumentOptions {
  readonly description?: string;
  /** UCUM: "s" for seconds, "{event}" for a count of events. */
  readonly unit?: string;
  /** Where a histogram's buckets end, unless a view of the application says otherwise. */
  readonly advice?: { explicitBucketBoundaries?: number[] };
}

/** A sum that only grows. */
export interface Counter {
  /** Adds to the sum. */
  add(value: number, labels?: Labels): void;
}

/** A distribution of values. */
export interface Histogram {
  /** Notes one value. */
  record(value: number, labels?: Labels): void;
}

/** Is only passed on, so nothing is asked of it. */
export type ObservableGauge = object;

/** Takes the readings of gauges while metrics are collected. */
export interface GaugeReadings {
  /** The present value of the gauge. */
  observe(gauge: ObservableGauge, value: number): void;
}

/** Called whenever metrics are collected. */
export type GaugeCallback = (readings: GaugeReadings) => void | Promise<void>;

/** Makes instruments. A meter of @opentelemetry/api fits. */
export interface Meter {
  /** A new counter. */
  createCounter(name: string, options?: InstrumentOptions): Counter;
  /** A new histogram. */
  createHistogram(name: string, options?: InstrumentOptions): Histogram;
  /** A new gauge, read by a callback. */
  createObservableGauge(name: string, options?: InstrumentOptions): ObservableGauge;
  /** Asks the callback for the readings of these gauges from now on. */
  addBatchObservableCallback(callback: GaugeCallback, gauges: ObservableGauge[]): void;
  /** Stops asking it. */
  removeBatchObservableCallback(callback: GaugeCallback, gauges: ObservableGauge[]): void;
}
