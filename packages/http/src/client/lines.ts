/**
 * An answer of lines that come while it is read.
 *
 * - lines.LI1: A connection on which nothing comes for three heartbeats is given up.
 * - lines.LI2: The time in which nobody asks for a line does not count: a reader may be slow.
 */
import { CancelledError, onAbort } from "@duroxide-ts/core/browser";
import { LINES_TYPE } from "../wire/bodies.ts";
import { restoredError } from "./restored-error.ts";
import { type Asked, exchange, jsonOf, type Transport, Unsent, unavailable } from "./transport.ts";

const SILENCE_MS = 45_000;

/** Lines that are not empty; those are heartbeats. Rejects as retryable where the connection fails. */
export async function* linesOf(transport: Transport, asked: Asked): AsyncGenerator<string, void, undefined> {
  const { operation, signal } = asked;
  const over = new AbortController();
  const forget = onAbort(signal, () => over.abort());
  const patiently = async <R>(step: () => Promise<R>): Promise<R> => {
    const cancel = transport.clock.schedule(SILENCE_MS, () => over.abort());
    return step().finally(cancel);
  };
  try {
    if (signal?.aborted === true) throw new CancelledError(signal.reason);
    const response = await patiently(() => exchange(transport, asked, over.signal));
    const isLines = response.ok && response.headers.get("content-type")?.startsWith(LINES_TYPE) === true;
    const parts = isLines ? response.body?.getReader() : undefined;
    if (parts === undefined) throw restoredError(operation, response.status, await jsonOf(response));
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await patiently(() => parts.read()).catch((cause: unknown) => {
        throw new Unsent("the answer ended early", { cause });
      });
      if (done) return;
      const lines = `${rest}${decoder.decode(value, { stream: true })}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield line;
    }
  } catch (error) {
    if (signal?.aborted === true) throw new CancelledError(signal.reason);
    if (error instanceof Unsent || over.signal.aborted) throw unavailable(operation, error);
    throw error;
  } finally {
    forget();
    over.abort();
  }
}
