/** Stores an activity's outcome; patient while its lock holds, for the work is done already. */
import { sleep } from "../contract/clock.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { ActivityOutcome } from "../wire/work-item.ts";
import type { LockRenewal } from "./lock-renewal.ts";
import type { RuntimeSettings } from "./options.ts";

const FIRST_RETRY_MS = 20;
const LONGEST_RETRY_MS = 2_000;
const RETRIES_WITHOUT_RENEWAL = 5;

/** False when the store refused it for good: the activity is somebody else's, or nobody's, by now. */
export async function acknowledgeWork(
  { provider, clock, logger }: RuntimeSettings,
  renewal: LockRenewal | undefined,
  lockToken: string,
  outcome: ActivityOutcome | undefined,
): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      await provider.ackWorkItem(lockToken, outcome);
      return true;
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      const patient = renewal === undefined ? attempt < RETRIES_WITHOUT_RENEWAL : renewal.holds;
      if (!error.retryable || !patient) {
        logger.info(
          { event: "activity_outcome_not_stored", error },
          "the outcome of an activity was not stored",
        );
        return false;
      }
      await sleep(clock, Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS));
    }
  }
}
