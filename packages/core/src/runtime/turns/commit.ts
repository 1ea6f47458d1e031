/**
 * Commits a turn: retries transient errors, and separates lost locks from refusals (runtime-semantics §1.2 step 19). A
 * retry after a lost answer is safe: the store recognises the turn by its token, or refuses it with `lock-lost`. The few
 * short retries bridge a busy store; a longer outage is left to StoreHealth, so that turns do not hold their locks.
 */
import { type Clock, sleep } from "../../contract/clock.ts";
import type { AckedOrchestration, OrchestrationAck, Provider, TurnContent } from "../../contract/provider.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import { noStreams } from "../../contract/streams.ts";
import type { StoreHealth } from "../trouble/store-health.ts";

export type CommitResult =
  | { readonly kind: "committed"; readonly acked: AckedOrchestration }
  /** Another process holds the instance, or the store is out of reach: the store will deliver the batch again. */
  | { readonly kind: "lost"; readonly error: ProviderError }
  /** The store refuses this commit; a retry cannot succeed. */
  | { readonly kind: "refused"; readonly error: ProviderError };

const RETRIES = 5;
const FIRST_RETRY_MS = 10;

/** A store that keeps no streams would lose what the code has written: the execution fails. */
export function storesStreams(provider: Provider, { streams }: TurnContent): boolean {
  return streams === undefined || provider.appendStream !== undefined;
}

export async function commit(
  provider: Provider,
  clock: Clock,
  health: StoreHealth,
  ack: OrchestrationAck,
): Promise<CommitResult> {
  if (!storesStreams(provider, ack))
    return { kind: "refused", error: noStreams("ackOrchestrationItem", provider.name) };
  for (let attempt = 0; ; attempt++) {
    try {
      const acked = await provider.ackOrchestrationItem(ack);
      health.succeeded("commits");
      return { kind: "committed", acked };
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      if (isRefusal(error)) return { kind: "refused", error };
      if (error.code === "lock-lost") return { kind: "lost", error };
      if (!error.retryable || attempt >= RETRIES) {
        health.failed("commits", error);
        return { kind: "lost", error };
      }
      await sleep(clock, FIRST_RETRY_MS * 2 ** attempt);
    }
  }
}

/** A full or closed store does not refuse the turn itself: a retry, here or in another process, may succeed. */
function isRefusal({ code }: ProviderError): boolean {
  return code === "duplicate-event" || code === "invalid-input";
}
