/** A tracer and a meter of one's own, without OpenTelemetry: they write lines. */
import type { InstrumentOptions, Span, SpanContext, SpanOptions, TraceContext } from "@duroxide-ts/core";

export class LineSpan implements Span {
  readonly #name: string;
  readonly #context: SpanContext;

  constructor(name: string, options: SpanOptions, parent: SpanContext | undefined) {
    this.#name = name;
    const { kind = 0, attributes = {}, links = [], root = false, startTime = new Date() } = options;
    this.#context = {
      traceId: root || parent === undefined ? "0af7651916cd43dd8448eb211c80319c" : parent.traceId,
      spanId: "b7ad6b7169203331",
      traceFlags: parent?.isRemote === true ? parent.traceFlags : 1,
    };
    const linked = links.map(({ context }) => context.traceId);
    console.log(startTime.toISOString(), name, kind, attributes, linked);
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  setAttribute(name: string, value: string | number): void {
    console.log(this.#name, name, value);
  }

  setStatus({ code, message = "" }: { code: number; message?: string }): void {
    console.log(this.#name, code, message);
  }

  recordException({ name, message }: { name: string; message: string }): void {
    console.log(this.#name, name, message);
  }

  end(): void {
    console.log(this.#name, "ended");
  }
}

export class MapContext implements TraceContext {
  readonly #values: ReadonlyMap<symbol, unknown>;

  constructor(values: ReadonlyMap<symbol, unknown> = new Map()) {
    this.#values = values;
  }

  getValue(key: symbol): unknown {
    return this.#values.get(key);
  }

  setValue(key: symbol, value: unknown): TraceContext {
    return new MapContext(new Map([...this.#values, [key, value]]));
  }

  deleteValue(key: symbol): TraceContext {
    return new MapContext(new Map([...this.#values].filter(([each]) => each !== key)));
  }
}

export function describeInstrument(
  name: string,
  { unit = "1", description = "" }: InstrumentOptions,
): string {
  return `${name} (${unit}): ${description}`;
}
