/** The spans of a client: one for each message that it stores. */
import type { ObserverLog } from "../define/observers.ts";
import type { Tracer } from "./tracer.ts";
import { Tracing } from "./tracing.ts";

export class ClientSpans {
  readonly #tracer: Tracer | undefined;
  readonly #tools: ObserverLog;
  #loading: Promise<Tracing> | undefined;

  constructor(tracer: Tracer | undefined, tools: ObserverLog) {
    this.#tracer = tracer;
    this.#tools = tools;
  }

  /** Calls `send` inside a span, if there is a tracer, with the trace fields for the message. */
  async around<T>(
    name: string,
    instanceId: string,
    send: (traceparent: string | undefined) => Promise<T>,
  ): Promise<T> {
    if (this.#tracer === undefined) return send(undefined);
    this.#loading ??= Tracing.load(this.#tracer, this.#tools);
    const tracing = await this.#loading;
    const { clock } = this.#tools;
    const span = tracing.begin({
      name,
      kind: "producer",
      parent: "active",
      startedAtMs: clock.now(),
      attributes: { "duroxide.instance_id": instanceId },
    });
    try {
      return await span.run(() => send(span.traceparent));
    } catch (error) {
      span.fail(error as Error, clock.now());
      throw error;
    } finally {
      span.end(clock.now());
    }
  }
}
