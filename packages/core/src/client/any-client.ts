/** The interface that a `Client` and a client over HTTP share, for code that gets either. */
import type { AnyOrchestration, CustomStatusOf, ResultOf } from "../define/orchestration-context.ts";
import type { StreamDefinition } from "../define/stream.ts";
import type { Admin } from "./admin.ts";
import type { Client } from "./client.ts";
import type { InstanceHandle } from "./instance-handle.ts";
import type { TriggerOptions } from "./schedules/schedule-options.ts";
import type { Schedules } from "./schedules/schedules.ts";
import type { StartArguments } from "./start-options.ts";
import type { StreamItem, StreamReadOptions } from "./streams/read-stream.ts";
import type { EventsOptions } from "./streams/server-sent-events.ts";

/** A `Client`, or a client over HTTP. */
export interface AnyClient
  extends Omit<Client, "start" | "handle" | "admin" | "schedules" | "redacted" | "undecoded"> {
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
  /** Listing, inspection, deletion and pruning. */
  readonly admin: AnyAdmin;
  /** Schedules, and their changes by hand. */
  readonly schedules: AnySchedules;
  /** A client whose payloads are texts. */
  undecoded(): AnyClient;
}

/** An `InstanceHandle`, or a handle over HTTP. */
export interface AnyHandle<Output, Shown = unknown> extends Omit<InstanceHandle<Output, Shown>, "stream"> {
  /** Reads a stream of the instance, from any offset on. */
  stream<T = unknown>(
    stream: StreamDefinition<never, T> | string,
    options?: StreamReadOptions,
  ): AnyReading<T>;
}

/** A reading of a stream: iterate over it, or send it to a browser. */
export interface AnyReading<T> extends AsyncIterable<StreamItem<T>> {
  /** The items, from the offset on. */
  [Symbol.asyncIterator](): AsyncGenerator<StreamItem<T>, void, undefined>;
  /** Server-sent events. */
  toResponse(options?: EventsOptions): Response;
}

/** The calls of `Admin`. */
export type AnyAdmin = Omit<Admin, never>;

/** The calls of `Schedules`. */
export interface AnySchedules extends Omit<Schedules, "trigger"> {
  /** Starts a run now. */
  trigger(name: string, options?: TriggerOptions): Promise<AnyHandle<unknown>>;
}
