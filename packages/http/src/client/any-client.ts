/** The calls that a `Client` and an `HttpClient` have in common, for code that gets either. */
import type {
  AnyOrchestration,
  CustomStatusOf,
  EventsOptions,
  InstanceHandle,
  ResultOf,
  StartArguments,
  StreamDefinition,
  StreamItem,
  StreamReadOptions,
} from "@duroxide-ts/core/browser";

/** A `Client` or an `HttpClient`. */
export interface AnyClient {
  /** Resolves when the start is stored. */
  start<
    O extends AnyOrchestration | string,
    Events extends readonly unknown[] = [],
    Messages extends readonly unknown[] = [],
  >(
    orchestration: O,
    ...args: StartArguments<O, Events, Messages>
  ): Promise<AnyHandle<ResultOf<O>, CustomStatusOf<O>>>;
  /** A handle to an instance that exists, or may exist later. */
  handle<O extends AnyOrchestration | string>(
    orchestration: O,
    instanceId: string,
  ): AnyHandle<ResultOf<O>, CustomStatusOf<O>>;
}

/** An `InstanceHandle` or an `HttpHandle`. */
export interface AnyHandle<Output, Shown = unknown> extends Omit<InstanceHandle<Output, Shown>, "stream"> {
  /** Reads a stream of the instance, from any offset on. */
  stream<T = unknown>(stream: StreamDefinition<never, T> | string, options?: ReadingOptions): AnyReading<T>;
}

/** The options of a reading of a stream by either. */
export type ReadingOptions = Omit<StreamReadOptions, "wait">;

/** A reading of a stream: iterate over it, or send it to a browser. */
export interface AnyReading<T> extends AsyncIterable<StreamItem<T>> {
  /** The items, from the offset on. */
  [Symbol.asyncIterator](): AsyncGenerator<StreamItem<T>, void, undefined>;
  /** Server-sent events. */
  toResponse(options?: EventsOptions): Response;
}
