/**
 * Stores an activity's outcome; retries while the lock holds, because the work is done already, and every delivery of the
 * activity would do it again. The token is read anew for each attempt: a delivery of the same work to this process
 * replaces it (ActivityLock).
 */
import { doubledMs, sleep } from "../../contract/clock.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import { applicationFailure } from "../../errors/failure-details.ts";
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { ActivityExecute, ActivityOutcome } from "../../wire/work-item.ts";
import type { ActivityLock } from "../locks/activity-lock.ts";
import type { RuntimeSettings } from "../options/options.ts";
import type { StoreHealth } from "../trouble/store-health.ts";

const FIRST_RETRY_MS = 20;
const LONGEST_RETRY_MS = 5_000;

export type Offered =
  | { readonly kind: "stored"; readonly outcome: ActivityOutcome | undefined }
  /** Another process holds the activity, or the activity no longer exists. */
  | { readonly kind: "gone" }
  /** The lock has expired, but the store may deliver the activity to this process again. */
  | { readonly kind: "unlocked"; readonly outcome: ActivityOutcome | undefined };

export async function offerOutcome(
  { provider, clock, random, logger }: RuntimeSettings,
  health: StoreHealth,
  lock: ActivityLock,
  first: ActivityOutcome | undefined,
): Promise<Offered> {
  let outcome = first;
  let isReplaced = false;
  for (let attempt = 0; ; attempt++) {
    const { token } = lock;
    try {
      await provider.ackWorkItem(token, outcome);
      health.succeeded("commits");
      return { kind: "stored", outcome };
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      if (error.code === "lock-lost") {
        if (token !== lock.token) continue;
        return lock.holds || lock.gone ? { kind: "gone" } : { kind: "unlocked", outcome };
      }
      // Once: if the failure is refused as well, it is not the size or the text of the outcome.
      if (error.code === "invalid-input" && outcome !== undefined && !isReplaced) {
        outcome = refused(outcome, error);
        isReplaced = true;
        continue;
      }
      logger.debug(
        { event: "activity_outcome_not_stored", error },
        "the outcome of an activity could not be stored; retrying",
      );
      health.failed("commits", error);
      if (!lock.holds) return { kind: "unlocked", outcome };
      const pauseMs = doubledMs(FIRST_RETRY_MS, LONGEST_RETRY_MS, attempt);
      await sleep(clock, Math.ceil(pauseMs * (1 - random.next() / 4)));
    }
  }
}

/** The store refuses this outcome for good: the activity fails with the store's message instead of running again. */
function refused(outcome: ActivityOutcome, { detail }: ProviderError): ActivityOutcome {
  const what = outcome.kind === "ActivityCompleted" ? "result" : "failure";
  const details = applicationFailure("ActivityFailed", `the ${what} could not be stored: ${detail}`);
  return failedOutcome(outcome, details);
}

export function failedOutcome(
  { instance, execution_id, id }: Pick<ActivityExecute, "instance" | "execution_id" | "id">,
  details: ErrorDetails,
): ActivityOutcome {
  return { kind: "ActivityFailed", instance, execution_id, id, details };
}
