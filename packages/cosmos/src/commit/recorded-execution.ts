/** When an execution began, and how it ended, from its history: for executions of which a Rust process left no notes. */
import { WireError } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { endOf, type RecordedEnd } from "../documents/execution-end.ts";
import { toEvents } from "../documents/history.ts";
import type { Call } from "../service/service.ts";

export interface RecordedExecution {
  /** Ms since the epoch; undefined without a first event. */
  readonly startedAtMs: number | undefined;
  /** Undefined where no event ends it. */
  readonly end: RecordedEnd | undefined;
}

/** Text inside a payload has escaped quotes, so that these are found as types only. */
const ENDS = ["OrchestrationCompleted", "OrchestrationFailed", "OrchestrationContinuedAsNew"].map(
  (type) => `CONTAINS(c.eventData, '"type":"${type}"')`,
);

/** The event that ends an execution is not always its last one: cancelled activities are noted after it. */
const FIRST_AND_END = `SELECT * FROM c WHERE c.type = 'history' AND ARRAY_CONTAINS(@executions, c.executionId)
  AND (c.eventId = 1 OR ${ENDS.join(" OR ")})`;

const UNKNOWN: RecordedExecution = { startedAtMs: undefined, end: undefined };

/** In one query. */
export async function recordedExecutions(
  call: Call,
  instanceId: string,
  executionIds: readonly number[],
): Promise<ReadonlyMap<number, RecordedExecution>> {
  const parameters = [{ name: "@executions", value: [...executionIds] }];
  const documents = await call.query(instanceId, { query: FIRST_AND_END, parameters });
  const byExecution = Map.groupBy(documents, ({ executionId }) => Number(executionId));
  return new Map([...byExecution].map(([id, stored]) => [id, recorded(stored)]));
}

export async function recordedExecution(
  call: Call,
  instanceId: string,
  executionId: number,
): Promise<RecordedExecution> {
  return (await recordedExecutions(call, instanceId, [executionId])).get(executionId) ?? UNKNOWN;
}

function recorded(documents: readonly Stored[]): RecordedExecution {
  try {
    const events = toEvents(documents);
    const first = events.find(({ event_id }) => Number(event_id) === 1);
    const end = events.map(endOf).find((each) => each !== undefined);
    return { startedAtMs: first && Number(first.timestamp_ms), end };
  } catch (error) {
    // Who reads the history is told of it.
    if (!(error instanceof WireError)) throw error;
    return UNKNOWN;
  }
}
