/** The failure of an execution, from the row of its history that has it. */
import { decodeEvents, type ErrorDetails } from "@duroxide-ts/core/stores";

/** A column for the row of `history` with the event that failed an execution `e`. */
export const FAILED_EVENTS = `iif(e.failed_event_id IS NULL, NULL, (SELECT h.event FROM history AS h
    WHERE h.instance_key = e.instance_key AND h.execution_id = e.execution_id AND h.event_id <= e.failed_event_id
    ORDER BY h.event_id DESC LIMIT 1))`;

/** `undefined` for events that cannot be decoded, because the output has the message of the failure too. */
export function failureDetails(events: string | null): ErrorDetails | undefined {
  if (events === null) return undefined;
  try {
    const failed = decodeEvents(events).findLast(({ type }) => type === "OrchestrationFailed");
    return failed?.type === "OrchestrationFailed" ? failed.details : undefined;
  } catch {
    return undefined;
  }
}
