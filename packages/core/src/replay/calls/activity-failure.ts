/**
 * The error of a failed activity. The worker that ends a run at its limit marks the failure
 * (docs/decisions/activities.md).
 */
import { ActivityFailedError, TimeoutError } from "../../errors/duroxide-error.ts";
import { displayMessage, type ErrorDetails } from "../../wire/error-details.ts";

export function failureOfActivity(name: string, details: ErrorDetails): ActivityFailedError | TimeoutError {
  const isLimit = "Application" in details && details.Application.thrown?.timeout_ms !== undefined;
  return isLimit ? new TimeoutError(displayMessage(details)) : new ActivityFailedError(name, details);
}
