/** Messages of an execution that has continued as new, of which the next one is not visible yet. */
import type { AbandonOptions, FetchedOrchestration } from "../../contract/provider.ts";
import type { RuntimeSettings } from "../options/options.ts";
import { unregisteredDelayMs } from "./backoff.ts";

const DETAIL =
  "the start of the next execution is not visible yet: the clock of the process that stored it may be ahead";

/**
 * How they are given back: counted as an attempt, and messages of queues as blocked, so that they stay together: given
 * back one by one, later ones could be processed before earlier ones. A raised event must not come with the start: it
 * would be there before its wait.
 */
export function unseenStart(
  { logger }: RuntimeSettings,
  { item, attemptCount }: FetchedOrchestration,
): AbandonOptions {
  const delayMs = unregisteredDelayMs(attemptCount);
  logger.info(
    { event: "next_execution_not_visible", instance_id: item.instanceId, delay_ms: delayMs },
    "the start of the next execution is not visible yet",
  );
  if (item.messages.some(({ kind }) => kind === "ExternalRaised")) return { delayMs };
  return { delayMs, blocked: { reason: "store", detail: DETAIL } };
}
