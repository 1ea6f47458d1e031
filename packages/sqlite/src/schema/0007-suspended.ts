/**
 * Suspended instances (docs/decisions/0041): why, since when and by whom, as JSON. The columns are NULL for nearly every
 * row, and the index has only suspended instances.
 */
export const suspendedSchema = `
ALTER TABLE instances ADD COLUMN suspended_since INTEGER;
ALTER TABLE instances ADD COLUMN suspended TEXT;
CREATE INDEX instances_suspended ON instances (suspended_since) WHERE suspended_since IS NOT NULL;
`;
