/**
 * Blocked work, and work that ran alone (docs/reference/provider-contract.md §8.1, §8.2). The columns are NULL or 0 for
 * nearly every row, and the partial indexes have only blocked rows, so other work has no extra cost. `blocked` is JSON;
 * `blocked_since` repeats its time, because lists are ordered by it.
 */
export const blockedWorkSchema = `
ALTER TABLE instances ADD COLUMN blocked_since INTEGER;
ALTER TABLE instances ADD COLUMN blocked TEXT;
CREATE INDEX instances_blocked ON instances (blocked_since) WHERE blocked_since IS NOT NULL;

ALTER TABLE worker_queue ADD COLUMN blocked_since INTEGER;
ALTER TABLE worker_queue ADD COLUMN blocked TEXT;
CREATE INDEX worker_queue_blocked ON worker_queue (blocked_since) WHERE blocked_since IS NOT NULL;

ALTER TABLE worker_queue ADD COLUMN ran_alone INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orchestrator_queue ADD COLUMN ran_alone INTEGER NOT NULL DEFAULT 0;
`;
