/** Calls of a client that goes on. */
import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError } from "@duroxide-ts/core";

/** Repeats the call after a pause, without an end, while the store refuses it for now. Rejects with any other error. */
export async function persist<T>(call: () => Promise<T>, pauseMs = 0): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!ProviderError.is(error) || !error.retryable) throw error;
      await sleep(pauseMs);
    }
  }
}
