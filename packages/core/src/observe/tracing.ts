/** Creates spans. `@opentelemetry/api` is loaded only when a tracer is passed. */
import { ConfigurationError } from "../errors/duroxide-error.ts";
import { formatTraceparent, parseTraceparent } from "./trace-context.ts";
import type { Attributes, OpenTelemetry, Span, SpanOptions, TraceContext, Tracer } from "./tracer.ts";

export interface SpanStart {
  readonly name: string;
  /** `producer` sends work, `consumer` processes it. */
  readonly kind: "producer" | "consumer";
  /** A stored span; "active": the span of the caller; `undefined`: none, a new trace begins. */
  readonly parent: string | "active" | undefined;
  /** A stored span of another trace that caused this one. */
  readonly link?: string | undefined;
  readonly startedAtMs: number;
  readonly attributes: Attributes;
}

export class Tracing {
  readonly #api: OpenTelemetry;
  readonly #tracer: Tracer;

  private constructor(api: OpenTelemetry, tracer: Tracer) {
    this.#api = api;
    this.#tracer = tracer;
  }

  static async load(tracer: Tracer): Promise<Tracing> {
    try {
      return new Tracing(await import("@opentelemetry/api"), tracer);
    } catch (error) {
      throw new ConfigurationError(
        `a tracer needs the package @opentelemetry/api; install it (${(error as Error).message})`,
      );
    }
  }

  /** Runs `call` outside all spans. */
  outside<T>(call: () => T): T {
    const { context, ROOT_CONTEXT } = this.#api;
    return context.with(ROOT_CONTEXT, call);
  }

  begin({ name, kind, parent, link, startedAtMs, attributes }: SpanStart): OpenSpan {
    const { SpanKind } = this.#api;
    const linked = link === undefined ? undefined : parseTraceparent(link);
    const options: SpanOptions = {
      kind: kind === "producer" ? SpanKind.PRODUCER : SpanKind.CONSUMER,
      attributes: { ...attributes },
      startTime: new Date(startedAtMs),
      root: parent === undefined,
      ...(linked !== undefined && { links: [{ context: linked }] }),
    };
    const context = this.#contextOf(parent);
    return new OpenSpan(this.#api, this.#tracer.startSpan(name, options, context), context);
  }

  /** A stored parent replaces the active context, because slots must not inherit the span that started the runtime. */
  #contextOf(parent: SpanStart["parent"]): TraceContext {
    const { context, trace, ROOT_CONTEXT } = this.#api;
    if (parent === "active") return context.active();
    const stored = parent === undefined ? undefined : parseTraceparent(parent);
    return stored === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, { ...stored, isRemote: true });
  }
}

/** A span that has begun. A span that never ends is never reported, so spans of lost commits are not ended. */
export class OpenSpan {
  readonly #api: OpenTelemetry;
  readonly #span: Span;
  readonly #context: TraceContext;

  constructor(api: OpenTelemetry, span: Span, context: TraceContext) {
    this.#api = api;
    this.#span = span;
    this.#context = context;
  }

  /** The stored form; `undefined` for a no-op tracer. */
  get traceparent(): string | undefined {
    return formatTraceparent(this.#span.spanContext());
  }

  /** Runs `call` inside the span, so that spans created in it become children. */
  run<T>(call: () => T): T {
    const { context, trace } = this.#api;
    return context.with(trace.setSpan(this.#context, this.#span), call);
  }

  set(name: string, value: string | number): void {
    this.#span.setAttribute(name, value);
  }

  fail(
    error: { readonly name: string; readonly message: string; readonly stack?: string },
    atMs: number,
  ): void {
    const { name, message, stack } = error;
    const exception = { name, message, ...(stack !== undefined && { stack }) };
    this.#span.recordException(exception, new Date(atMs));
    this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message });
  }

  end(atMs: number): void {
    this.#span.end(new Date(atMs));
  }
}
