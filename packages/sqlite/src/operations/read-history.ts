/** All events of an execution in order (docs/reference/provider-contract.md §9). Throws instead of returning a gap. */
import { decodeEvents, decodeStored, type HistoryEvent, toPositiveId } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { toText } from "../rows/codec.ts";

const OPERATION = "readHistory";

const EVENTS = `SELECT event FROM history AS h
  JOIN instances AS i ON i.instance_key = h.instance_key
  WHERE i.instance_id = ? AND h.execution_id = coalesce(?, i.execution_id) ORDER BY h.event_id`;

export function readHistory(db: Database, instanceId: string, executionId?: number): readonly HistoryEvent[] {
  const execution = executionId === undefined ? null : toPositiveId(OPERATION, "executionId", executionId);
  const rows = db.all<{ event: string }>(EVENTS, toText(instanceId), execution);
  const what = `the history of instance ${JSON.stringify(instanceId)}`;
  return decodeStored(OPERATION, what, () => rows.flatMap(({ event }) => decodeEvents(event)));
}
