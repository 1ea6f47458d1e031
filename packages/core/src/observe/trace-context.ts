/**
 * How a trace travels through the store: a field `traceparent` (W3C Trace Context, version 00) beside the fields
 * of a start, a continue-as-new, an activity and the first event of an execution. Rust ignores the field and may
 * lose it, so nothing depends on it being there (docs/decisions/0009).
 */
import type { SpanContext } from "./tracer.ts";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NO_TRACE = /^0*$/;

/** The span that the text names; `undefined` for text that names none. */
export function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(text) ?? [];
  if (NO_TRACE.test(traceId) || NO_TRACE.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

/** `undefined` for the spans of a tracer that does nothing. */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string | undefined {
  const text = `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, "0")}`;
  return parseTraceparent(text) && text;
}

/** What an event or work item carries. A field of another shape is somebody else's. */
export function traceparentOf(carrier: object | undefined): string | undefined {
  const text: unknown = carrier !== undefined && "traceparent" in carrier ? carrier.traceparent : undefined;
  return typeof text === "string" && parseTraceparent(text) !== undefined ? text : undefined;
}

export function withTraceparent<T extends object>(carrier: T, traceparent: string | undefined): T {
  return traceparent === undefined ? carrier : { ...carrier, traceparent };
}
