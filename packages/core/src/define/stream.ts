/** Streams: ordered values that an instance shows while it runs (docs/decisions/streams.md). */
import type { StreamBounds } from "../contract/streams.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { wholeNumberFault } from "../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import { nameFault } from "./limits.ts";
import { calleeName } from "./named.ts";
import type { Stored } from "./stored.ts";

/** Bounds of what a stream keeps: the newest values, and at most a tenth more. */
export interface StreamOptions {
  /** The number of values; 10,000 by default. */
  readonly maxItems?: number;
  /** UTF-8 bytes of the stored values; 64 MiB by default. */
  readonly maxBytes?: number;
}

/** A stream: `stream` of a context writes it, `stream` of a handle reads it. `Received` is the type that is read. */
export interface StreamDefinition<T, Received = Stored<T>> {
  readonly kind: "stream";
  readonly name: string;
  readonly maxItems: number;
  readonly maxBytes: number;
  /** Never set; it has the types of what is written and read. */
  readonly "~types"?: (value: T) => Received;
}

/** A value of a stream. */
export interface StreamEntry<T> {
  /** Place in the stream, from 0. A reader goes on with the offset after it. */
  readonly offset: number;
  readonly value: T;
  /** Name of the activity or step that has written it; with a number where others of the name have written too. */
  readonly step?: string;
  /** Number of the delivery of the step, from 1; 1 for orchestration code. */
  readonly attempt: number;
  readonly reset?: never;
  readonly skipped?: never;
}

/** A step begins again: what it has written from `fromOffset` on is void. Its values that follow take their place. */
export interface StreamReset {
  readonly reset: {
    readonly step: string;
    /** Number of the delivery that begins. */
    readonly attempt: number;
    readonly fromOffset: number;
  };
  readonly offset?: never;
  readonly value?: never;
  readonly step?: never;
  readonly attempt?: never;
  readonly skipped?: never;
}

/** The values before the next one are gone, because the stream keeps only so many. */
export interface StreamGap {
  /** The number of values. */
  readonly skipped: number;
  readonly offset?: never;
  readonly value?: never;
  readonly step?: never;
  readonly attempt?: never;
  readonly reset?: never;
}

/** Writes to a stream from an activity or a step. */
export interface StepStream<T> {
  /**
   * Adds a value. The first write of a delivery is durable when its promise resolves; later ones are written after 50 ms
   * or 16 KiB, and wait while more than 8 MiB are unwritten. StreamError (`ended`) for a closed stream.
   *
   * @example
   * ```ts
   * await ctx.run("answer", async (step) => {
   *   const out = step.stream(tokens);
   *   for (const word of ["Hello", "Ada"]) await out.write(word);
   * });
   * ```
   */
  write(value: T): Promise<void>;
  /**
   * Resolves when everything that was written before is durable.
   *
   * @example
   * ```ts
   * await ctx.run("answer", async (step) => {
   *   const out = step.stream(tokens);
   *   await out.write("Hello");
   *   await out.flush(); // stored: readers of other processes have it
   * });
   * ```
   */
  flush(): Promise<void>;
  /**
   * Ends the stream after everything that was written before; resolves when that is durable.
   *
   * @example
   * ```ts
   * await ctx.run("answer", async (step) => {
   *   await step.stream(tokens).close();
   * });
   * ```
   */
  close(): Promise<void>;
}

/** Writes to a stream from orchestration code: once, in the commit of the turn. */
export interface CodeStream<T> {
  /**
   * Adds a value. StreamError (`ended`) after `close`; nothing is added to a stream that another writer has closed.
   *
   * @example
   * ```ts
   * ctx.stream(tokens).write("charging");
   * ```
   */
  write(value: T): void;
  /**
   * Ends the stream.
   *
   * @example
   * ```ts
   * ctx.stream(tokens).close(); // readers end
   * ```
   */
  close(): void;
}

const DEFAULT_BOUNDS: StreamBounds = { maxItems: 10_000, maxBytes: 67_108_864 };

const STREAM_OPTIONS: OptionList = optionList<StreamOptions>({ maxItems: true, maxBytes: true });

/**
 * Defines a stream: `ctx.stream` and `step.stream` write it, `handle.stream` reads it. InvalidInputError for an empty name
 * or a bound that is no whole number from 1.
 *
 * @example
 * ```ts
 * const tokens = stream<string>("tokens");
 * ```
 */
export function stream<T>(name: string, options: StreamOptions = {}): StreamDefinition<T> {
  if (typeof name !== "string" || name === "") {
    throw new InvalidInputError("stream: the first argument is its name, a string that is not empty");
  }
  checkOptions(`stream "${name}"`, options, STREAM_OPTIONS);
  const fault =
    nameFault("stream: the name", name) ??
    wholeNumberFault(`stream "${name}": maxItems`, options.maxItems, 1) ??
    wholeNumberFault(`stream "${name}": maxBytes`, options.maxBytes, 1);
  if (fault !== undefined) throw new InvalidInputError(fault);
  return { kind: "stream", name, ...DEFAULT_BOUNDS, ...options };
}

/** A definition, or the name of one that is defined elsewhere. */
export type NamedStream<T, Received = unknown> = StreamDefinition<T, Received> | string;

/** Name and bounds of the stream. */
export function namedStream(
  call: string,
  named: NamedStream<never>,
): { readonly name: string; readonly bounds: StreamBounds } {
  const name = calleeName(call, "stream", named);
  if (typeof named === "string") return { name, bounds: DEFAULT_BOUNDS };
  const { maxItems, maxBytes } = named;
  return { name, bounds: { maxItems, maxBytes } };
}
