/**
 * The streams of one delivery of an activity.
 *
 * - step-streams.SS1: What the handler has written is stored before its outcome, and nothing after it: the values of code,
 *   activities and steps are in the order of the program.
 */
import { noStreams, type StreamBounds, type StreamChange } from "../../contract/streams.ts";
import { type NamedStream, namedStream, type StepStream } from "../../define/stream.ts";
import { CancelledError } from "../../errors/duroxide-error.ts";
import { StreamError } from "../../errors/stream-error.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import { StreamBuffer } from "./stream-buffer.ts";
import type { WritingCall, WritingDelivery } from "./writing-delivery.ts";

interface OpenStream {
  readonly buffer: StreamBuffer;
  readonly stream: StepStream<unknown>;
}

export class StepStreams {
  readonly #call: WritingCall;
  readonly #delivery: WritingDelivery;
  readonly #streams = new Map<string, OpenStream>();

  constructor(call: WritingCall, delivery: WritingDelivery) {
    this.#call = call;
    this.#delivery = delivery;
  }

  stream(named: NamedStream<never>): StepStream<unknown> {
    const { name, bounds } = namedStream("stream", named);
    const known = this.#streams.get(name);
    if (known !== undefined) return known.stream;
    const opened = this.#open(name, bounds);
    this.#streams.set(name, opened);
    return opened.stream;
  }

  /** step-streams.SS1: resolves when everything is stored; rejects if something never will be. */
  async end(): Promise<void> {
    const buffers = [...this.#streams.values()].map(({ buffer }) => buffer);
    try {
      await Promise.all(buffers.map((buffer) => buffer.flush()));
    } finally {
      const over = new CancelledError(
        "the activity has ended, so nothing is written to its streams any more",
      );
      for (const buffer of buffers) buffer.fail(over);
    }
  }

  #open(name: string, bounds: StreamBounds): OpenStream {
    const { settings, fetched } = this.#call;
    const buffer = new StreamBuffer(settings.clock, (values, written, close) =>
      this.#append({ stream: name, values, close, bounds }, written),
    );
    const refuseClosed = (): void => {
      const { instance } = fetched.item;
      if (buffer.isClosed) throw new StreamError("ended", { instanceId: instance, stream: name });
    };
    const stream: StepStream<unknown> = {
      write: (value) =>
        quiet(async () => {
          const text = encodePayload(settings.codec, value, "stream-value", name);
          refuseClosed();
          await buffer.write(text);
        }),
      flush: () => quiet(() => buffer.flush()),
      close: () => quiet(() => buffer.close()),
    };
    return { buffer, stream };
  }

  /** writing-delivery.WD1 */
  async #append(change: StreamChange, written: number): Promise<void> {
    const { settings, fetched } = this.#call;
    const { provider } = settings;
    const { instance: instanceId } = fetched.item;
    const outcome = await this.#delivery.store(async (writer) => {
      if (provider.appendStream === undefined) throw noStreams("appendStream", provider.name);
      return provider.appendStream({ ...change, instanceId, writer: { ...writer, written } });
    });
    if (outcome === "closed") throw new StreamError("ended", { instanceId, stream: change.stream });
  }
}

/** A failure that nobody awaits is reported by `end`, so it is no unhandled rejection. */
function quiet(run: () => Promise<void>): Promise<void> {
  const promise = run();
  promise.catch(() => {});
  return promise;
}
