/**
 * Events in the order of their commits, found by an index (docs/decisions/0055-sqlite-commits.md). While the table was
 * ordered by instance, each history that a commit extended was a page of its own, which the commit wrote as a whole.
 * Now the events of a commit are neighbours, and so are most entries of the index, because they are small.
 *
 * No operation may rely on the order of `id`, because ids at the end are used again after a deletion.
 */
export const eventOrderSchema = `
ALTER TABLE history RENAME TO history_before;
CREATE TABLE history (
  id INTEGER PRIMARY KEY,
  instance_key INTEGER NOT NULL,
  execution_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;
INSERT INTO history (instance_key, execution_id, event_id, event)
  SELECT instance_key, execution_id, event_id, event FROM history_before
  ORDER BY instance_key, execution_id, event_id;
DROP TABLE history_before;
CREATE UNIQUE INDEX history_events ON history (instance_key, execution_id, event_id);
`;
