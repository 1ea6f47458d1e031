/**
 * Work that no process could go on with, and work that ran alone (docs/reference/provider-contract.md §8.1, §8.2).
 * All of it is NULL or 0 for nearly every row, and the indexes hold only what is blocked, so other work does not
 * pay for it. `blocked` is JSON; `blocked_since` repeats the time in it that lists are ordered by.
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
