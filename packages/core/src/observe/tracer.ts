/**
 * The part of OpenTelemetry's `Tracer` that is used here: every tracer of @opentelemetry/api fits. It is stated
 * again so that these types compile for people who have no OpenTelemetry installed (docs/decisions/0009).
 */

export type Attributes = Readonly<Record<string, string | number>>;

export interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
  isRemote?: boolean;
}

export interface SpanOptions {
  readonly kind?: number;
  attributes?: Record<string, string | number>;
  links?: { context: SpanContext }[];
  /** A Date, because a number that lies before the process began would be read as an offset to its start. */
  readonly startTime?: Date;
  /** Begins a trace of its own. */
  readonly root?: boolean;
}

export interface Span {
  spanContext(): SpanContext;
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(exception: { name: string; message: string; stack?: string }, time?: Date): void;
  end(endTime?: Date): void;
}

/** OpenTelemetry's `Context`. */
export interface TraceContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): TraceContext;
  deleteValue(key: symbol): TraceContext;
}

export interface Tracer {
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
