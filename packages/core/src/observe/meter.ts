/**
 * The part of OpenTelemetry's `Meter` that is used here; every meter of @opentelemetry/api has it. It is declared
 * again, so that these types compile without OpenTelemetry (docs/decisions/0009).
 */

/** The dimensions of a measurement. */
export type Labels = Readonly<Record<string, string>>;

/** The description of an instrument. */
export interface InstrumentOptions {
  readonly description?: string;
  /** UCUM: "s" for seconds, "{event}" for a count of events. */
  readonly unit?: string;
  /** The bucket boundaries of a histogram, unless a view of the application overrides them. */
  readonly advice?: { explicitBucketBoundaries?: number[] };
}

/** A sum that only grows. */
export interface Counter {
  /** Adds to the sum. */
  add(value: number, labels?: Labels): void;
}

/** A distribution of values. */
export interface Histogram {
  /** Records one value. */
  record(value: number, labels?: Labels): void;
}

/** Only passed on, so it needs no members. */
export type ObservableGauge = object;

/** Takes the readings of gauges while metrics are collected. */
export interface GaugeReadings {
  /** Reports the current value of the gauge. */
  observe(gauge: ObservableGauge, value: number): void;
}

/** Called whenever metrics are collected. */
export type GaugeCallback = (readings: GaugeReadings) => void | Promise<void>;

/** Creates instruments. A meter of @opentelemetry/api has this interface. */
export interface Meter {
  /** A new counter. */
  createCounter(name: string, options?: InstrumentOptions): Counter;
  /** A new histogram. */
  createHistogram(name: string, options?: InstrumentOptions): Histogram;
  /** A new gauge, read by a callback. */
  createObservableGauge(name: string, options?: InstrumentOptions): ObservableGauge;
  /** Adds a callback for these gauges, which is called at each collection. */
  addBatchObservableCallback(callback: GaugeCallback, gauges: ObservableGauge[]): void;
  /** Removes the callback. */
  removeBatchObservableCallback(callback: GaugeCallback, gauges: ObservableGauge[]): void;
}
