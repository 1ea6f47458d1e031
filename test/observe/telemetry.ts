/** OpenTelemetry's own SDK, keeping in memory what it is given, and shorter ways to say what was seen. */

import type { Meter, Tracer } from "@duroxide-ts/core";
import { type Attributes, context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { DataPointType, MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

/** Spans nest only where a context manager follows asynchronous code. */
export function followContexts(): void {
  context.disable();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}

export class Telemetry {
  readonly meter: Meter;
  readonly tracer: Tracer;
  readonly #reader = new PulledReader();
  readonly #exporter = new InMemorySpanExporter();

  constructor() {
    this.meter = new MeterProvider({ readers: [this.#reader] }).getMeter("duroxide");
    const spanProcessors = [new SimpleSpanProcessor({ exporter: this.#exporter })];
    this.tracer = new TracerProvider({ spanProcessors }).getTracer("duroxide");
  }

  get spans(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans();
  }

  span(name: string): ReadableSpan {
    const found = this.spans.filter((span) => span.name === name);
    const [span] = found;
    if (span === undefined || found.length > 1) throw new Error(`${found.length} spans named "${name}"`);
    return span;
  }

  /** Every ended span with the path of names from its root, sorted. */
  tree(): readonly string[] {
    const byId = new Map(this.spans.map((span) => [span.spanContext().spanId, span]));
    const path = (span: ReadableSpan): string => {
      const { parentSpanContext } = span;
      if (parentSpanContext === undefined) return span.name;
      const parent = byId.get(parentSpanContext.spanId);
      const sameTrace = parent?.spanContext().traceId === span.spanContext().traceId;
      return `${parent !== undefined && sameTrace ? path(parent) : "(never reported)"} > ${span.name}`;
    };
    return this.spans.map(path).sort();
  }

  /** One line for each series of the metric: its labels and its value, or a histogram's count and sum. */
  async series(name: string): Promise<readonly string[]> {
    const { resourceMetrics } = await this.#reader.collect();
    const lines: string[] = [];
    for (const metric of resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)) {
      if (metric.descriptor.name !== `duroxide_${name}`) continue;
      if (metric.dataPointType === DataPointType.HISTOGRAM) {
        for (const { attributes, value } of metric.dataPoints) {
          lines.push(`${labels(attributes)} ${value.count}x ${value.sum}`);
        }
      } else if (metric.dataPointType !== DataPointType.EXPONENTIAL_HISTOGRAM) {
        for (const { attributes, value } of metric.dataPoints) lines.push(`${labels(attributes)} ${value}`);
      }
    }
    return lines.map((line) => line.trim()).sort();
  }

  /** The names of all metrics that have a value, without the prefix. */
  async names(): Promise<readonly string[]> {
    const { resourceMetrics } = await this.#reader.collect();
    const metrics = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
    return metrics.filter(({ dataPoints }) => dataPoints.length > 0).map(({ descriptor }) => descriptor.name);
  }
}

class PulledReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

function labels(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join(" ");
}
