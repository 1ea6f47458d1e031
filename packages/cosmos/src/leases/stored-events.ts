/** Finds the events of an execution that are stored already. */
import type { Work } from "../memory/parts.ts";

/** Event ids of one execution; gaps are allowed. */
export interface EventSpan {
  readonly executionId: number;
  readonly first: number;
  readonly last: number;
}

const STORED = `SELECT VALUE c.eventId FROM c WHERE c.type = 'history' AND c.executionId = @execution
  AND c.eventId >= @first AND c.eventId <= @last`;

export function storedEvents(
  work: Work,
  instanceId: string,
  { executionId, first, last }: EventSpan,
): Promise<readonly number[]> {
  return work.query<number>(instanceId, STORED, {
    "@execution": executionId,
    "@first": first,
    "@last": last,
  });
}
