/** Refuses starts with a limit, which this store cannot hold back, so that none begins without it. */
import { type OrchestratorItem, ProviderError } from "@duroxide-ts/core/stores";

export function refuseLimit(operation: string, item: OrchestratorItem): void {
  if (item.kind !== "StartOrchestration" || item.limit === undefined) return;
  const message =
    'the store "cosmos" has no limits of instances yet; leave limit out, or give it to the activities of the instance';
  throw new ProviderError({ code: "unsupported", operation, message });
}
