/**
 * Ids of messages that clients have sent, so that a repetition is recognised (docs/decisions/0019). They are kept by
 * day: a look-up reads two days, and older rows are deleted from the beginning of the table without an index.
 */
export const messageIdsSchema = `
CREATE TABLE message_ids (
  day INTEGER NOT NULL,
  instance_key INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  PRIMARY KEY (day, instance_key, message_id)
) STRICT, WITHOUT ROWID;
`;
