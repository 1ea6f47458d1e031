/** Prints what was measured: the spans as trees, the metrics as lines. */
import { type Attributes, SpanStatusCode } from "@opentelemetry/api";
import { DataPointType, type MetricReader } from "@opentelemetry/sdk-metrics";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

export function printSpans(spans: readonly ReadableSpan[]): void {
  const inOrder = [...spans].sort((a, b) => millis(a.startTime) - millis(b.startTime));
  for (const root of inOrder.filter((span) => span.parentSpanContext === undefined))
    printTree(root, inOrder, "");
}

function printTree(span: ReadableSpan, spans: readonly ReadableSpan[], indent: string): void {
  const { name, status, attributes } = span;
  const outcome = attributes["duroxide.outcome"] ?? "";
  const error = status.code === SpanStatusCode.ERROR ? `: ${status.message}` : "";
  const durationMs = millis(span.endTime) - millis(span.startTime);
  console.log(`  ${`${indent}${name}`.padEnd(36)} ${String(durationMs).padStart(6)} ms  ${outcome}${error}`);
  const { spanId } = span.spanContext();
  for (const child of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId)) {
    printTree(child, spans, `${indent}  `);
  }
}

function millis([seconds, nanos]: readonly [number, number]): number {
  return Math.round(seconds * 1_000 + nanos / 1_000_000);
}

export async function printMetrics(reader: MetricReader): Promise<void> {
  const { resourceMetrics } = await reader.collect();
  for (const metric of resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)) {
    if (metric.dataPointType === DataPointType.EXPONENTIAL_HISTOGRAM) continue;
    for (const { attributes, value } of metric.dataPoints) {
      const shown = typeof value === "number" ? String(value) : `${value.count} times, ${value.sum} in all`;
      console.log(`  ${metric.descriptor.name}{${labels(attributes)}} ${shown}`);
    }
  }
}

function labels(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${String(value)}"`)
    .join(",");
}
