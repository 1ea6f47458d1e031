/** The condition for instances that exist for clients: named, and not being deleted. */

export const IS_NAMED =
  "c.type = 'instance' AND c.orchestrationName != '' AND NOT IS_DEFINED(c.duroxideTs.deletion)";
