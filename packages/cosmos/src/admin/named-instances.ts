/** The condition for instances that exist for clients: named, and not being deleted. */

/** Both properties have an index in new containers. */
export const HAS_NAME = "c.type = 'instance' AND c.orchestrationName != ''";

/** Condition without an index: the service looks into each document. */
export const IS_KEPT = "NOT IS_DEFINED(c.duroxideTs.deletion)";

export const IS_NAMED: string = `${HAS_NAME} AND ${IS_KEPT}`;
