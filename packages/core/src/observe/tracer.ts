/**
 * The part of OpenTelemetry's `Tracer` that is used here: every tracer of @opentelemetry/api fits. It is stated
 * again so that these types compile for people who have no OpenTelemetry installed (docs/decisions/0009).
 */

/** What a span says beside its name. */
export type Attributes = Readonly<Record<string, string | number>>;

/** The identity of a span, as traces carry it. */
export interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
  isRemote?: boolean;
}

/** How a span begins. */
export interface SpanOptions {
  readonly kind?: number;
  attributes?: Record<string, string | number>;
  links?: { context: SpanContext }[];
  /** A Date, because a number that lies before the process began would be read as an offset to its start. */
  readonly startTime?: Date;
  /** Begins a trace of its own. */
  readonly root?: boolean;
}

/** A piece of work in a trace. */
export interface Span {
  /** Its identity. */
  spanContext(): SpanContext;
  /** Adds an attribute. */
  setAttribute(name: string, value: string | number): unknown;
  /** Says whether it went well. */
  setStatus(status: { code: number; message?: string }): unknown;
  /** Notes an error. */
  recordException(exception: { name: string; message: string; stack?: string }, time?: Date): void;
  /** Ends the span. */
  end(endTime?: Date): void;
}

/** OpenTelemetry's `Context`. */
export interface TraceContext {
  /** The value of the key, if any. */
  getValue(key: symbol): unknown;
  /** A context with the value. */
  setValue(key: symbol, value: unknown): TraceContext;
  /** A context without the value. */
  deleteValue(key: symbol): TraceContext;
}

/** Begins spans. A tracer of @opentelemetry/api fits. */
export interface Tracer {
  /** A new span, within the one of the context. */
  startSpan(name: string, options?: SpanOptions, context?: TraceContext): Span;
}

/** The part of the package @opentelemetry/api that is used here. */
export interface OpenTelemetry {
  readonly ROOT_CONTEXT: TraceContext;
  readonly SpanKind: { readonly PRODUCER: number; readonly CONSUMER: number };
  readonly SpanStatusCode: { readonly ERROR: number };
  readonly context: {
    active(): TraceContext;
    with<T>(context: TraceContext, call: () => T): T;
  };
  readonly trace: {
    setSpan(context: TraceContext, span: Span): TraceContext;
    setSpanContext(context: TraceContext, spanContext: SpanContext): TraceContext;
  };
}
