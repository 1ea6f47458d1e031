/** OpenTelemetry's SDK, keeping spans and metrics in this process: nothing leaves it. */
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

/** Lets the spans that a handler begins find the span of their activity. */
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

export const spans = new InMemorySpanExporter();
export const metrics = new (class extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
})();

const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
const meterProvider = new MeterProvider({ readers: [metrics] });

export const tracer = tracerProvider.getTracer("shop");
export const meter = meterProvider.getMeter("shop");
