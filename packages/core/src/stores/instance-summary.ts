/** Parts of an instance in a list that every store computes in the same way. */
import type { FailureCategory, InstanceFailure } from "../contract/queries.ts";
import {
  cancellationOf,
  cleanUpFailureOf,
  displayMessage,
  type ErrorDetails,
  errorCategory,
} from "../wire/error-details.ts";

/** Why an instance failed, from the details that its history has. */
export function instanceFailure(details: ErrorDetails): InstanceFailure {
  return { category: failureCategory(details), message: oneLine(failureMessage(details)), details };
}

/** Cancellations are categories of their own, though they are stored as failures of the application. */
export function failureCategory(details: ErrorDetails): FailureCategory {
  if (cancellationOf(details) === undefined) return errorCategory(details);
  return cleanUpFailureOf(details) === undefined ? "cancelled" : "clean-up-failed";
}

function failureMessage(details: ErrorDetails): string {
  const reason = cancellationOf(details);
  if (reason === undefined) return displayMessage(details);
  const left = cleanUpFailureOf(details);
  return left === undefined ? reason : `${reason}; clean-up failed: ${left}`;
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").trim();
}
