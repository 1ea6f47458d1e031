/** The part of a handle that reads streams and progress of its instance. */
import type { Clock } from "../../contract/clock.ts";
import type { Provider } from "../../contract/provider.ts";
import { noStreams, type StreamInfo } from "../../contract/streams.ts";
import type { ProgressOfStep } from "../../define/progress.ts";
import { namedStream, type StreamDefinition } from "../../define/stream.ts";
import { checkClientCall } from "../../guard/client-calls.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";
import type { StreamReadOptions } from "./read-stream.ts";
import { StreamReading } from "./stream-reading.ts";

interface StreamSettings {
  readonly clock: Clock;
  readonly codec: NamingCodec;
}

/** A handle that reads streams. */
export abstract class StreamingHandle {
  readonly instanceId: string;
  readonly #store: Provider;
  readonly #settings: StreamSettings;

  protected constructor(instanceId: string, store: Provider, { clock, codec }: StreamSettings) {
    this.instanceId = instanceId;
    this.#store = store;
    this.#settings = { clock, codec };
  }

  /**
   * Reads a stream of the instance, from any offset on, also while its start waits. It ends when the stream is closed or the
   * instance ends. Values that a step has written before it was delivered again are left out; a reader that has got some
   * gets a reset first. StreamError for an unknown instance (`not-found`), and for one that is deleted meanwhile (`gone`).
   *
   * @example
   * ```ts
   * for await (const { offset, value } of handle.stream(tokens, { from: 0 })) console.log(offset, value);
   * ```
   */
  stream<T = unknown>(
    stream: StreamDefinition<never, T> | string,
    options: StreamReadOptions = {},
  ): StreamReading<T> {
    checkClientCall();
    const { name } = namedStream("stream", stream);
    const { instanceId } = this;
    return new StreamReading<T>(
      { provider: this.#store, ...this.#settings, instanceId, stream: name },
      options,
    );
  }

  /**
   * Returns what the activities and steps of the instance have reported last with `progress`, the latest first; empty for an unknown
   * instance.
   *
   * @example
   * ```ts
   * const [latest] = await handle.progress();
   * console.log(latest?.step, latest?.value.done, "of", latest?.value.of);
   * ```
   */
  async progress(): Promise<readonly ProgressOfStep[]> {
    checkClientCall();
    const { progressOf } = await import("./instance-progress.ts");
    return progressOf(this.#store, this.#settings.codec, this.instanceId);
  }

  /**
   * Returns the streams of the instance with the offsets of their oldest and of their next value; none of an unknown one.
   *
   * @example
   * ```ts
   * for (const { stream, next } of await handle.streams()) console.log(stream, "has had", next, "values");
   * ```
   */
  async streams(): Promise<readonly StreamInfo[]> {
    checkClientCall();
    const store = this.#store;
    if (store.listStreams === undefined) throw noStreams("listStreams", store.name);
    return store.listStreams(this.instanceId);
  }
}
