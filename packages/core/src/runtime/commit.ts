/** Commits a turn: retries transient errors, and tells a lost lock from a refused commit (runtime-semantics §1.2 step 19). */
import { type Clock, sleep } from "../contract/clock.ts";
import type { AckedOrchestration, OrchestrationAck, Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { StoreHealth } from "./store-health.ts";

export type CommitResult =
  | { readonly kind: "committed"; readonly acked: AckedOrchestration }
  /** Another process has the instance now, or the store cannot be reached: the batch will be handed out again. */
  | { readonly kind: "lost"; readonly error: ProviderError }
  /** The store refuses this very commit; repeating it cannot help. */
  | { readonly kind: "refused"; readonly error: ProviderError };

const RETRIES = 5;
const FIRST_RETRY_MS = 10;

export async function commit(
  provider: Provider,
  clock: Clock,
  health: StoreHealth,
  ack: OrchestrationAck,
): Promise<CommitResult> {
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

/** A full or closed store says nothing about the turn: a retry by anybody may succeed. */
function isRefusal({ code }: ProviderError): boolean {
  return code === "duplicate-event" || code === "invalid-input";
}
