/**
 * Appends events outside a turn, for tests and fault injection (docs/reference/provider-contract.md §9). A later
 * execution than the current one becomes the current one, as it would by a turn.
 */
import { type HistoryEvent, SCHEDULE_ORCHESTRATION, toPositiveId } from "@duroxide-ts/core/stores";
import { totalOf } from "../commit/effects.ts";
import type { WriteOperation } from "../commit/transaction.ts";
import { toText } from "../rows/codec.ts";
import { toEventRows } from "../rows/event-row.ts";
import { requesterOf } from "../storing/add-activity.ts";
import { addEvents, refuseStoredEvents } from "../storing/add-events.ts";

const OPERATION = "appendHistory";

const ADD_EXECUTION = `INSERT INTO executions (instance_key, execution_id, status, started_at)
  VALUES (?, ?, 'Running', ?) ON CONFLICT (instance_key, execution_id) DO NOTHING`;

/** The tag changes, so that no process continues with a history in memory that lacks these events. */
const CHANGE_TAG = `UPDATE instances SET history_tag = ?2,
    last_event_id = CASE WHEN execution_id = ?3 THEN max(last_event_id, ?4) ELSE last_event_id END
  WHERE instance_key = ?1`;

const ADVANCE = `UPDATE instances SET history_tag = ?2, execution_id = ?3, last_event_id = ?4,
    pinned_version = '', status = 'Running', completed_at = NULL
  WHERE instance_key = ?1`;

const CURRENT = "SELECT execution_id, status FROM instances WHERE instance_key = ?";

export function appendHistory(
  instanceId: string,
  executionId: number,
  events: readonly HistoryEvent[],
): WriteOperation<void> {
  const id = toText(instanceId);
  const execution = toPositiveId(OPERATION, "executionId", executionId);
  const rows = toEventRows(OPERATION, events);
  const lastEventId = rows.reduce((last, { eventId }) => Math.max(last, eventId), 0);
  return (tx) => {
    const { instance_key: key, orchestration_name: name } = requesterOf(tx, id);
    refuseStoredEvents(tx, OPERATION, key, execution, rows);
    const current = tx.db.get<{ execution_id: number; status: string }>(CURRENT, key);
    const advances = execution > (current?.execution_id ?? 0);
    addEvents(tx, key, execution, rows);
    tx.effects.count("executions", tx.db.run(ADD_EXECUTION, key, execution, tx.nowMs));
    tx.db.run(advances ? ADVANCE : CHANGE_TAG, key, tx.random.uuid(), execution, lastEventId);
    if (!advances || name === null || name === SCHEDULE_ORCHESTRATION) return;
    const left = totalOf(current?.status ?? "");
    if (left !== undefined) tx.effects.count(left, -1);
    tx.effects.count("running", 1);
  };
}
