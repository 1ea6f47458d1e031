/** Deleting a parent finds the starts of its children that are still queued (docs/reference/provider-contract.md §16). */
export const childStartsSchema = `
ALTER TABLE orchestrator_queue ADD COLUMN parent_instance_id TEXT;
UPDATE orchestrator_queue
  SET parent_instance_id = json_extract(work_item, '$.StartOrchestration.parent_instance')
  WHERE begins = 1 AND json_valid(work_item);
CREATE INDEX orchestrator_queue_parent ON orchestrator_queue (parent_instance_id)
  WHERE parent_instance_id IS NOT NULL;
`;
