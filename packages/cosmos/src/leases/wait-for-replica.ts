/** Before a document is read again that a replica was behind with: the next read may reach the same replica. */
import { ProviderError, sleep } from "@duroxide-ts/core";
import { LAG_MS } from "../memory/waits.ts";
import type { Call } from "../service/service.ts";

/** Throws `unavailable` where the call's time is over. */
export async function waitForReplica({ service, operation, untilMs, signal }: Call): Promise<void> {
  const { clock, random } = service;
  const delayMs = Math.ceil(LAG_MS * (0.5 + random.next()));
  if (clock.now() + delayMs > untilMs) {
    const message = "a replica of the service lags behind what was written; it is read again later";
    throw new ProviderError({ code: "unavailable", operation, message });
  }
  await sleep(clock, delayMs, signal);
}
