/**
 * The streams of one delivery of an activity.
 *
 * - step-streams.SS1: What the handler has written is stored before its outcome, and nothing after it: the values of code,
 *   activities and steps are in the order of the program.
 * - step-streams.SS2: A value is stored at least until the lock is lost; then the store refuses it, because another
 *   delivery may have written.
 */
import { doubledMs, sleep } from "../../contract/clock.ts";
import { deliveryOf } from "../../contract/delivery.ts";
import type { FetchedWork } from "../../contract/provider.ts";
import { ProviderError, type ProviderErrorCode } from "../../contract/provider-error.ts";
import {
  noStreams,
  type StreamBounds,
  type StreamChange,
  type StreamWriter,
} from "../../contract/streams.ts";
import { type NamedStream, namedStream, type StepStream } from "../../define/stream.ts";
import { CancelledError } from "../../errors/duroxide-error.ts";
import { StreamError } from "../../errors/stream-error.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import type { ActivityExecute } from "../../wire/work-item.ts";
import type { RuntimeSettings } from "../options/options.ts";
import type { RunningActivity } from "../running/running-activities.ts";
import { StreamBuffer } from "./stream-buffer.ts";

const FIRST_RETRY_MS = 20;
const LONGEST_RETRY_MS = 1_000;

/** Errors after which a repetition cannot succeed. */
const FINAL: ReadonlySet<ProviderErrorCode> = new Set([
  "invalid-input",
  "unsupported",
  "read-only",
  "closed",
  "store-gone",
]);

/** The delivery that writes. */
interface WritingCall {
  readonly settings: RuntimeSettings;
  readonly fetched: FetchedWork;
  readonly run: RunningActivity;
}

interface OpenStream {
  readonly buffer: StreamBuffer;
  readonly stream: StepStream<unknown>;
}

export class StepStreams {
  readonly #call: WritingCall;
  readonly #delivery: string;
  readonly #streams = new Map<string, OpenStream>();

  constructor(call: WritingCall) {
    this.#call = call;
    this.#delivery = call.settings.random.uuid();
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

  /** step-streams.SS2 */
  async #append(change: StreamChange, written: number): Promise<void> {
    const { settings, fetched, run } = this.#call;
    const { provider, clock } = settings;
    const { instance: instanceId } = fetched.item;
    if (provider.appendStream === undefined) throw noStreams("appendStream", provider.name);
    for (let attempt = 0; ; attempt++) {
      const { token } = run.lock;
      try {
        const writer = this.#writer(written, token);
        const outcome = await provider.appendStream({ ...change, instanceId, writer });
        if (outcome === "closed") throw new StreamError("ended", { instanceId, stream: change.stream });
        return;
      } catch (error) {
        if (!ProviderError.is(error) || FINAL.has(error.code)) throw error;
        const isReplaced = token !== run.lock.token;
        if (run.lock.isLost || run.abandoned || (error.code === "lock-lost" && !isReplaced)) throw error;
        if (!isReplaced) await sleep(clock, doubledMs(FIRST_RETRY_MS, LONGEST_RETRY_MS, attempt));
      }
    }
  }

  #writer(written: number, lockToken: string): StreamWriter {
    const { fetched } = this.#call;
    const { item } = fetched;
    const retries = item.retry_of === undefined ? 0 : 1;
    return {
      call: callOf(item),
      name: item.name,
      delivery: this.#delivery,
      leastAttempt: retries + deliveryOf(fetched),
      written,
      lockToken,
    };
  }
}

/** The id of the call's first attempt, with its execution after the first. */
function callOf({ execution_id, key_execution = execution_id, id, retry_of = id }: ActivityExecute): string {
  return Number(key_execution) === 1 ? String(retry_of) : `${key_execution}:${retry_of}`;
}

/** A failure that nobody awaits is reported by `end`, so it is no unhandled rejection. */
function quiet(run: () => Promise<void>): Promise<void> {
  const promise = run();
  promise.catch(() => {});
  return promise;
}
