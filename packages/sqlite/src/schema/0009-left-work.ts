/**
 * Work that a fetch has left to fetches with the code for it (docs/decisions/0035-work-of-unknown-names.md): the name of
 * its orchestration or activity. NULL for nearly every row, and the indexes have only rows that are left.
 */
export const leftWorkSchema = `
ALTER TABLE instances ADD COLUMN left_to TEXT;
CREATE INDEX instances_left ON instances (left_to, due_at) WHERE left_to IS NOT NULL;
ALTER TABLE worker_queue ADD COLUMN left_to TEXT;
CREATE INDEX worker_queue_left ON worker_queue (left_to) WHERE left_to IS NOT NULL;
`;
