/** The items that a reader gets, page after page. */
import { type Clock, sleep } from "../../contract/clock.ts";
import type { Provider } from "../../contract/provider.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import type { StreamEntry, StreamGap, StreamReset } from "../../define/stream.ts";
import { CancelledError } from "../../errors/duroxide-error.ts";
import { StreamError } from "../../errors/stream-error.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";
import { StreamTail } from "./stream-tail.ts";

/** The place where a reader begins, and the values that it gets. */
export interface StreamReadOptions {
  /** Offset of the first value; 0 by default. To go on, the one after the last that was read. */
  readonly from?: number;
  /** Whether values of attempts that others have replaced come too; false by default. */
  readonly all?: boolean;
  /** Whether it waits for values that are still to come; without, it ends at the last one. True by default. */
  readonly wait?: boolean;
  /** Rejects with CancelledError when it aborts. */
  readonly signal?: AbortSignal;
}

/** An item that a reader gets: a value, or something that it has to know about those before. */
export type StreamItem<T> = StreamEntry<T> | StreamReset | StreamGap;

/** The stream that is read, and with what. */
export interface StreamSource {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly codec: NamingCodec;
  readonly instanceId: string;
  readonly stream: string;
}

/** How long a reader waits while the store cannot be reached, ms. */
const RETRY_MS = 1_000;

/** `begun` hears which life of the id is read (`StreamPage.life`), before its first item. */
export async function* readStream<T>(
  { provider, clock, codec, instanceId, stream }: StreamSource,
  { from = 0, all = false, wait = true, signal }: StreamReadOptions,
  begun: (life: string) => void = () => {},
): AsyncGenerator<StreamItem<T>, void, undefined> {
  const tail = StreamTail.enter(provider, clock, instanceId, stream);
  let place = tail.begin(from, all);
  let isKnown = false;
  let life = "";
  try {
    for (;;) {
      if (signal?.aborted === true) throw new CancelledError(signal.reason);
      const { notices } = tail;
      const portion = await tail.read(place).catch((error: unknown) => patience(clock, error, signal));
      if (portion === "unavailable") continue;
      if (portion === undefined || (life !== "" && portion.page.life !== life))
        throw new StreamError(isKnown ? "gone" : "not-found", { instanceId, stream });
      const { page, entries, next } = portion;
      isKnown = true;
      if (page.life !== life) begun(page.life);
      life = page.life;
      place = next;
      for (let index = 0; index < entries.length; index++) yield portion.item(index, codec) as StreamItem<T>;
      if (place.at < page.next && page.batches.length > 0) continue;
      if (page.state === "ended" || !wait) return;
      await tail.changed(notices, signal);
    }
  } finally {
    tail.leave();
  }
}

/** A store that cannot be reached now is asked again. */
async function patience(
  clock: Clock,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<"unavailable"> {
  if (!ProviderError.is(error) || !error.retryable) throw error;
  await sleep(clock, RETRY_MS, signal);
  return "unavailable";
}
