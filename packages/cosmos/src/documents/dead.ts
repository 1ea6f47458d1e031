/** Rows that could not be decoded, and messages for other instances whose delivery was abandoned. */
export const IS_DEAD = "(c.type = 'dead_letter' OR (c.type = 'outbox_intent' AND c.status = 'dead'))";
