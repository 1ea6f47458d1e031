/** Reads the begin and the end of an execution from its history, for executions without notes (written by Rust). */
import type { ExecutionStatus, HistoryEvent } from "@duroxide-ts/core";
import { displayMessage, encodeErrorDetails, saturatedNumber, WireError } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { toEvents } from "../documents/history.ts";
import type { Work } from "../memory/parts.ts";

export interface RecordedExecution {
  /** Ms since the epoch; undefined without a first event. */
  readonly startedAtMs: number | undefined;
  /** Undefined if no event ends it. */
  readonly end: RecordedEnd | undefined;
}

/** Quotes inside a payload are escaped, so these patterns match only types. */
const ENDS = ["OrchestrationCompleted", "OrchestrationFailed", "OrchestrationContinuedAsNew"].map(
  (type) => `CONTAINS(c.eventData, '"type":"${type}"')`,
);

/** The event that ends an execution is not always the last: cancellations of activities follow it. */
const FIRST_AND_END = `SELECT * FROM c WHERE c.type = 'history' AND ARRAY_CONTAINS(@executions, c.executionId)
  AND (c.eventId = 1 OR ${ENDS.join(" OR ")})`;

const UNKNOWN: RecordedExecution = { startedAtMs: undefined, end: undefined };

/** Reads recorded executions in one query. */
export async function recordedExecutions(
  work: Work,
  instanceId: string,
  executionIds: readonly number[],
): Promise<ReadonlyMap<number, RecordedExecution>> {
  const documents = await work.query(instanceId, FIRST_AND_END, { "@executions": executionIds });
  const byExecution = Map.groupBy(documents, ({ executionId }) => Number(executionId));
  return new Map([...byExecution].map(([id, stored]) => [id, recorded(stored)]));
}

export async function recordedExecution(
  work: Work,
  instanceId: string,
  executionId: number,
): Promise<RecordedExecution> {
  return (await recordedExecutions(work, instanceId, [executionId])).get(executionId) ?? UNKNOWN;
}

function recorded(documents: readonly Stored[]): RecordedExecution {
  try {
    const events = toEvents(documents);
    const first = events.find(({ event_id }) => Number(event_id) === 1);
    const end = events.map(endOf).find((each) => each !== undefined);
    return { startedAtMs: first && Number(first.timestamp_ms), end };
  } catch (error) {
    // A read of the history reports it.
    if (!(error instanceof WireError)) throw error;
    return UNKNOWN;
  }
}

interface RecordedEnd {
  readonly status: ExecutionStatus;
  readonly output: string;
  /** Ms since the epoch. */
  readonly atMs: number;
  /** ErrorDetails as JSON text, of a failure. */
  readonly failure: string | null;
}

/** `undefined` for an event that ends nothing. */
function endOf(event: HistoryEvent): RecordedEnd | undefined {
  const atMs = saturatedNumber(event.timestamp_ms);
  switch (event.type) {
    case "OrchestrationCompleted":
      return { status: "Completed", output: event.output, atMs, failure: null };
    case "OrchestrationContinuedAsNew":
      return { status: "ContinuedAsNew", output: event.input, atMs, failure: null };
    case "OrchestrationFailed":
      return {
        status: "Failed",
        output: displayMessage(event.details),
        atMs,
        failure: encodeErrorDetails(event.details),
      };
    default:
      return undefined;
  }
}
