/** The condition for instances that exist for clients: named, and not being deleted. */

export const IS_NAMED =
  "c.type = 'instance' AND c.orchestrationName != '' AND NOT IS_DEFINED(c.duroxideTs.deletion)";

/** How long an administrative call is tried again, ms. */
export const ADMIN_PATIENCE_MS = 30_000;
