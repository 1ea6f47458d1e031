/** The event that failed an execution, as a column of its JSON. */
import { decodeEvent, type ErrorDetails } from "@duroxide-ts/core/stores";

/** `undefined` for an event that cannot be decoded, because the output has the message of the failure too. */
export function failureDetails(event: string | null): ErrorDetails | undefined {
  if (event === null) return undefined;
  try {
    const failed = decodeEvent(event);
    return failed.type === "OrchestrationFailed" ? failed.details : undefined;
  } catch {
    return undefined;
  }
}
