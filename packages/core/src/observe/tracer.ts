/**
 * The part of OpenTelemetry's `Tracer` that is used here; every tracer of @opentelemetry/api has it. It is declared
 * again, so that these types compile without OpenTelemetry (docs/decisions/observers.md).
 */

/** The attributes of a span. */
export type Attributes = Readonly<Record<string, string | number>>;

/** The identity of a span. */
export interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
  isRemote?: boolean;
}

/** The options of a span. */
export interface SpanOptions {
  readonly kind?: number;
  attributes?: Record<string, string | number>;
  links?: { context: SpanContext }[];
  /** A Date, because OpenTelemetry reads a number before the start of the process as an offset to it. */
  readonly startTime?: Date;
  /** Begins a new trace. */
  readonly root?: boolean;
}

/** A piece of work in a trace. */
export interface Span {
  /** Its identity. */
  spanContext(): SpanContext;
  /** Adds an attribute. */
  setAttribute(name: string, value: string | number): unknown;
  /** Sets the status. */
  setStatus(status: { code: number; message?: string }): unknown;
  /** Records an error. */
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

/** Creates spans. A tracer of @opentelemetry/api has this interface. */
export interface Tracer {
  /** A new span, a child of the context's span. */
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
    getSpanContext(context: TraceContext): SpanContext | undefined;
  };
}
