/** Parts of an instance in a list that every store computes in the same way. */
import type { FailureCategory, InstanceFailure } from "../contract/queries.ts";
import { cancellationOf, displayMessage, type ErrorDetails, errorCategory } from "../wire/error-details.ts";

/** Why an instance failed, from the details that its history has. */
export function instanceFailure(details: ErrorDetails): InstanceFailure {
  return { category: failureCategory(details), message: oneLine(failureMessage(details)), details };
}

/** A cancellation is a category of its own, though it is stored as a failure of the application. */
export function failureCategory(details: ErrorDetails): FailureCategory {
  return cancellationOf(details) === undefined ? errorCategory(details) : "cancelled";
}

function failureMessage(details: ErrorDetails): string {
  return cancellationOf(details) ?? displayMessage(details);
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").trim();
}
