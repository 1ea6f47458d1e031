/** Creates spans. `@opentelemetry/api` is loaded only when a tracer is passed. */
import { type ObserverLog, observerCalls } from "../define/observers.ts";
import { ConfigurationError } from "../errors/duroxide-error.ts";
import type { ObserverCalls } from "../guard/observer-calls.ts";
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
  readonly #calls: ObserverCalls;

  private constructor(api: OpenTelemetry, tracer: Tracer, calls: ObserverCalls) {
    this.#api = api;
    this.#tracer = tracer;
    this.#calls = calls;
  }

  static async load(tracer: Tracer, tools: ObserverLog): Promise<Tracing> {
    try {
      const api = await import("@opentelemetry/api");
      return new Tracing(api, tracer, observerCalls("tracer", tools));
    } catch (error) {
      throw new ConfigurationError(
        `a tracer needs the package @opentelemetry/api; install it (${(error as Error).message})`,
      );
    }
  }

  begin({ name, kind, parent, link, startedAtMs, attributes }: SpanStart): OpenSpan {
    const { SpanKind } = this.#api;
    const calls = this.#calls;
    const linked = link === undefined ? undefined : parseTraceparent(link);
    const options: SpanOptions = {
      kind: kind === "producer" ? SpanKind.PRODUCER : SpanKind.CONSUMER,
      attributes: { ...attributes },
      startTime: new Date(startedAtMs),
      root: parent === undefined,
      ...(linked !== undefined && { links: [{ context: linked }] }),
    };
    const context = calls.call(() => this.#contextOf(parent));
    const span = calls.call(() => this.#tracer.startSpan(name, options, context));
    return new OpenSpan(this.#api, calls, span, context);
  }

  /** Calls `call` with the stored span active, unless a span of its trace is active already. */
  within(traceparent: string, call: () => void): void {
    const { context, trace } = this.#api;
    withContext(this.#api, this.#calls, call, () => {
      const active = trace.getSpanContext(context.active());
      return active?.traceId === parseTraceparent(traceparent)?.traceId
        ? undefined
        : this.#contextOf(traceparent);
    });
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

/**
 * A span that has begun. A span that never ends is never reported, so spans of lost commits are not ended. One that the
 * tracer did not create does nothing.
 */
export class OpenSpan {
  readonly #api: OpenTelemetry;
  readonly #calls: ObserverCalls;
  readonly #span: Span | undefined;
  readonly #context: TraceContext | undefined;

  constructor(
    api: OpenTelemetry,
    calls: ObserverCalls,
    span: Span | undefined,
    context: TraceContext | undefined,
  ) {
    this.#api = api;
    this.#calls = calls;
    this.#span = span;
    this.#context = context;
  }

  /** The stored form; `undefined` for a no-op tracer. */
  get traceparent(): string | undefined {
    return this.#calls.call(() => this.#span && formatTraceparent(this.#span.spanContext()));
  }

  /**
   * Runs `call` inside the span, so that spans created in it become children. It is run once, whatever the context
   * manager does, and is no call of the observer: its errors are its own.
   */
  run<T>(call: () => Promise<T>): Promise<T> {
    const { context, trace } = this.#api;
    let outcome: Promise<T> | undefined;
    const once = (): Promise<T> => {
      outcome ??= new Promise((resolve) => resolve(call()));
      return outcome;
    };
    try {
      if (this.#context !== undefined && this.#span !== undefined) {
        void context.with(trace.setSpan(this.#context, this.#span), once);
      }
    } catch (error) {
      this.#calls.failed(error);
    }
    return once();
  }

  /** Calls `call`, which does not throw, inside the span. */
  within(call: () => void): void {
    withContext(this.#api, this.#calls, call, () =>
      this.#context === undefined || this.#span === undefined
        ? undefined
        : this.#api.trace.setSpan(this.#context, this.#span),
    );
  }

  set(name: string, value: string | number): void {
    this.#calls.call(() => this.#span?.setAttribute(name, value));
  }

  fail(
    error: { readonly name: string; readonly message: string; readonly stack?: string },
    atMs: number,
  ): void {
    const { name, message, stack } = error;
    const exception = { name, message, ...(stack !== undefined && { stack }) };
    this.#calls.call(() => this.#span?.recordException(exception, new Date(atMs)));
    this.#calls.call(() => this.#span?.setStatus({ code: this.#api.SpanStatusCode.ERROR, message }));
  }

  end(atMs: number): void {
    this.#calls.call(() => this.#span?.end(new Date(atMs)));
  }
}

/** Calls `call` once, whatever the context manager does: in the context that `choose` returns, if there is one. */
function withContext(
  { context }: OpenTelemetry,
  calls: ObserverCalls,
  call: () => void,
  choose: () => TraceContext | undefined,
): void {
  let isDone = false;
  const once = (): void => {
    if (isDone) return;
    isDone = true;
    call();
  };
  calls.call(() => {
    const chosen = choose();
    if (chosen !== undefined) context.with(chosen, once);
  });
  once();
}
