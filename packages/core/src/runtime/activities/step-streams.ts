/**
 * The streams of one delivery of an activity.
 *
 * - step-streams.SS1: What the handler has written is stored before its outcome, and nothing after it: the values of code,
 *   activities and steps are in the order of the program.
 * - step-streams.SS2: Where the lock was replaced after the last values were stored, the store is asked once more before the
 *   outcome, with no values: another process may have had the activity meanwhile, and made them void.
 */
import { ProviderError } from "../../contract/provider-error.ts";
import {
  type AppendOutcome,
  noStreams,
  type StreamBounds,
  type StreamChange,
} from "../../contract/streams.ts";
import { type NamedStream, namedStream, type StepStream } from "../../define/stream.ts";
import { CancelledError } from "../../errors/duroxide-error.ts";
import { StreamError } from "../../errors/stream-error.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import { StreamBuffer } from "./stream-buffer.ts";
import type { WritingCall, WritingDelivery } from "./writing-delivery.ts";

interface OpenStream {
  readonly name: string;
  readonly bounds: StreamBounds;
  readonly buffer: StreamBuffer;
  /** Token of the lock under which the last values were stored. */
  storedUnder?: string;
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
    const streams = [...this.#streams.values()];
    try {
      await this.#finishAll(streams);
    } finally {
      const over = new CancelledError(
        "the activity has ended, so nothing is written to its streams any more",
      );
      for (const { buffer } of streams) buffer.fail(over);
    }
  }

  /** Under one lock: one stream may have been asked about under the lock before that of another. */
  async #finishAll(streams: readonly OpenStream[]): Promise<void> {
    const { run } = this.#call;
    for (let token: string | undefined; token !== run.lock.token; ) {
      token = run.lock.token;
      await Promise.all(streams.map((stream) => this.#finish(stream)));
    }
    run.hasEndedStreams = run.hasStreamed;
  }

  /** step-streams.SS2 */
  async #finish(open: OpenStream): Promise<void> {
    const { buffer } = open;
    await buffer.flush();
    if (open.storedUnder === undefined || open.storedUnder === this.#call.run.lock.token) return;
    await this.#send(open, { values: [], close: false }, buffer.stored);
  }

  #open(name: string, bounds: StreamBounds): OpenStream {
    const { settings, fetched, run } = this.#call;
    const buffer = new StreamBuffer(settings.clock, async (values, written, close) => {
      const outcome = await this.#send(opened, { values, close }, written);
      if (outcome === "closed")
        throw new StreamError("ended", { instanceId: fetched.item.instance, stream: name });
      run.hasStreamed = true;
    });
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
    const opened: OpenStream = { name, bounds, buffer, stream };
    return opened;
  }

  /** writing-delivery.WD1, running-activities.A4 */
  async #send(
    open: OpenStream,
    change: Pick<StreamChange, "values" | "close">,
    written: number,
  ): Promise<AppendOutcome> {
    const { settings, fetched, run } = this.#call;
    const { provider } = settings;
    const { name: stream, bounds } = open;
    const { instance: instanceId } = fetched.item;
    try {
      return await this.#delivery.store(async (writer) => {
        if (provider.appendStream === undefined) throw noStreams("appendStream", provider.name);
        const append = { ...change, stream, bounds, instanceId, writer: { ...writer, written } };
        const outcome = await provider.appendStream(append);
        open.storedUnder = writer.lockToken;
        return outcome;
      });
    } catch (error) {
      if (ProviderError.is(error, "lock-lost")) run.supersede();
      throw error;
    }
  }
}

/** A failure that nobody awaits is reported by `end`, so it is no unhandled rejection. */
function quiet(run: () => Promise<void>): Promise<void> {
  const promise = run();
  promise.catch(() => {});
  return promise;
}
