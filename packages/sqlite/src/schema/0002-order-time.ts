/**
 * Messages keep their order time (docs/reference/provider-contract.md §4.1).
 *
 * - `order_at` is set when a row is added and never changes; `visible_at` moves with every delay.
 * - Most rows have both equal, so the index over `visible_at` has them in their order. The few others have a separate
 *   partial index, which costs the other rows nothing. A batch above the limit takes the first rows of both.
 * - Messages that an execution returned have minus its id in both, so the last ones returned come first.
 * - `begins` is 1 for the message with which an execution begins. A batch above the limit always includes it.
 *
 * The enqueue time of an existing row is not known. No later row became visible before it was enqueued, so the earliest
 * of their visible times is the best bound, and it keeps the order of the queue.
 */
export const orderTimeSchema = `
ALTER TABLE orchestrator_queue ADD COLUMN order_at INTEGER NOT NULL DEFAULT 0;

UPDATE orchestrator_queue SET order_at = bound.enqueued_by FROM (
  SELECT id, min(visible_at) OVER (
    PARTITION BY instance_key ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS enqueued_by
  FROM orchestrator_queue WHERE work_item NOT LIKE '{"TimerFired":%'
) AS bound WHERE bound.id = orchestrator_queue.id;

UPDATE orchestrator_queue
  SET order_at = CAST(min(json_extract(work_item, '$.TimerFired.fire_at_ms'), 9007199254740991) AS INTEGER)
  WHERE work_item LIKE '{"TimerFired":%' AND json_valid(work_item)
    AND json_extract(work_item, '$.TimerFired.fire_at_ms') IS NOT NULL;

CREATE INDEX orchestrator_queue_moved ON orchestrator_queue (instance_key, order_at)
  WHERE visible_at <> order_at;

ALTER TABLE orchestrator_queue ADD COLUMN begins INTEGER NOT NULL DEFAULT 0;
UPDATE orchestrator_queue SET begins = 1
  WHERE work_item LIKE '{"StartOrchestration":%' OR work_item LIKE '{"ContinueAsNew":%';
CREATE INDEX orchestrator_queue_begins ON orchestrator_queue (instance_key) WHERE begins = 1;
`;
