/**
 * Counters and histograms of a runtime as Prometheus text, for processes without OpenTelemetry. Gauges are not kept
 * here: they describe the store, and are read from it when metrics are asked for.
 */
import type { Counter, Histogram, InstrumentOptions, Labels, Meter } from "@duroxide-ts/core";
import { help, labelText } from "./exposition.ts";

const DEFAULT_BOUNDARIES: readonly number[] = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

interface Instrument {
  lines(): Generator<string, void, undefined>;
}

/**
 * Pass it to `Runtime.start({ meter })` and to the dashboard or `metricsHandler` of the same process.
 *
 * @example
 * ```ts
 * import { metricsHandler, PrometheusMeter } from "@duroxide-ts/dashboard";
 *
 * const meter = new PrometheusMeter();
 * const runtime = await Runtime.start({ provider, orchestrations, activities, meter });
 * const metrics = metricsHandler({ provider, meter });
 * ```
 */
export class PrometheusMeter implements Meter {
  readonly #sums = new Map<string, Sum>();
  readonly #distributions = new Map<string, Distribution>();

  /** The counter of this name, so that the runtimes of a process, at once or one after the other, share it. */
  createCounter(name: string, options: InstrumentOptions = {}): Counter {
    const sum = this.#sums.get(name) ?? new Sum(name, options);
    this.#sums.set(name, sum);
    return sum;
  }

  /** The histogram of this name, shared like a counter; its boundaries are those of its first call. */
  createHistogram(name: string, options: InstrumentOptions = {}): Histogram {
    const distribution = this.#distributions.get(name) ?? new Distribution(name, options);
    this.#distributions.set(name, distribution);
    return distribution;
  }

  createObservableGauge(): object {
    return {};
  }

  addBatchObservableCallback(): void {}

  removeBatchObservableCallback(): void {}

  /** All instruments, in the text format of Prometheus. */
  text(): string {
    const instruments: Instrument[] = [...this.#sums.values(), ...this.#distributions.values()];
    return instruments.flatMap((instrument) => [...instrument.lines()]).join("");
  }
}

class Sum implements Counter, Instrument {
  readonly #name: string;
  readonly #options: InstrumentOptions;
  readonly #sums = new Map<string, number>();

  constructor(name: string, options: InstrumentOptions) {
    this.#name = name;
    this.#options = options;
  }

  add(value: number, labels: Labels = {}): void {
    const key = labelText(labels);
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + value);
  }

  *lines(): Generator<string, void, undefined> {
    yield help(this.#name, "counter", this.#options.description);
    for (const [labels, sum] of this.#sums) yield `${this.#name}${labels} ${sum}\n`;
  }
}

interface Buckets {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
  count: number;
}

class Distribution implements Histogram, Instrument {
  readonly #name: string;
  readonly #options: InstrumentOptions;
  readonly #boundaries: readonly number[];
  readonly #buckets = new Map<string, Buckets>();

  constructor(name: string, options: InstrumentOptions) {
    this.#name = name;
    this.#options = options;
    this.#boundaries = options.advice?.explicitBucketBoundaries ?? DEFAULT_BOUNDARIES;
  }

  record(value: number, labels: Labels = {}): void {
    const key = labelText(labels);
    const buckets = this.#buckets.get(key) ?? {
      labels,
      counts: this.#boundaries.map(() => 0),
      sum: 0,
      count: 0,
    };
    this.#buckets.set(key, buckets);
    const index = this.#boundaries.findIndex((boundary) => value <= boundary);
    if (index >= 0) buckets.counts[index] = (buckets.counts[index] ?? 0) + 1;
    buckets.sum += value;
    buckets.count++;
  }

  *lines(): Generator<string, void, undefined> {
    const name = this.#name;
    yield help(name, "histogram", this.#options.description);
    for (const [key, { labels, counts, sum, count }] of this.#buckets) {
      let below = 0;
      for (const [index, boundary] of this.#boundaries.entries()) {
        below += counts[index] ?? 0;
        yield `${name}_bucket${labelText({ ...labels, le: String(boundary) })} ${below}\n`;
      }
      yield `${name}_bucket${labelText({ ...labels, le: "+Inf" })} ${count}\n`;
      yield `${name}_sum${key} ${sum}\n${name}_count${key} ${count}\n`;
    }
  }
}
