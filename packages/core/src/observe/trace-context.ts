/**
 * The trace in the store: a field `traceparent` (W3C Trace Context, version 00) in a start, a continue-as-new, an
 * activity and the first event of an execution. Rust ignores the field and may lose it, so no code depends on its
 * presence (docs/decisions/observers.md).
 */
import type { SpanContext } from "./tracer.ts";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NO_TRACE = /^0*$/;

/** The span of the text; `undefined` for an invalid text. */
export function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(text) ?? [];
  if (NO_TRACE.test(traceId) || NO_TRACE.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

/** `undefined` for spans of a no-op tracer. */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string | undefined {
  const text = `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, "0")}`;
  return parseTraceparent(text) && text;
}

/** The field of an event or work item. Ignores a value of another form, which another program wrote. */
export function traceparentOf(carrier: object | undefined): string | undefined {
  const text: unknown = carrier !== undefined && "traceparent" in carrier ? carrier.traceparent : undefined;
  return typeof text === "string" && parseTraceparent(text) !== undefined ? text : undefined;
}

export function withTraceparent<T extends object>(carrier: T, traceparent: string | undefined): T {
  return traceparent === undefined ? carrier : { ...carrier, traceparent };
}
