/**
 * The part of OpenTelemetry's `Meter` that is used here; every meter of @opentelemetry/api has it. It is declared
 * again, so that these types compile without OpenTelemetry (docs/decisions/observers.md).
 */
import type { ObserverCalls } from "../guard/observer-calls.ts";

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
  observe(gauge: ObservableGauge, value: number, attributes?: Readonly<Record<string, string>>): void;
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

/** The given meter, whose calls never fail. An instrument that it does not create measures nothing. */
export function toMeter(given: Meter, calls: ObserverCalls): Meter {
  return {
    createCounter(name, options) {
      const counter = calls.call(() => given.createCounter(name, options));
      return { add: (value, labels) => void calls.call(() => counter?.add(value, labels)) };
    },
    createHistogram(name, options) {
      const histogram = calls.call(() => given.createHistogram(name, options));
      return { record: (value, labels) => void calls.call(() => histogram?.record(value, labels)) };
    },
    createObservableGauge: (name, options) =>
      calls.call(() => given.createObservableGauge(name, options)) ?? {},
    addBatchObservableCallback: (callback, gauges) =>
      void calls.call(() => given.addBatchObservableCallback(callback, gauges)),
    removeBatchObservableCallback: (callback, gauges) =>
      void calls.call(() => given.removeBatchObservableCallback(callback, gauges)),
  };
}
