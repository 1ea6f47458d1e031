/** The condition for instances that exist for clients: named, and not being deleted. */

import { SCHEDULE_ORCHESTRATION } from "@duroxide-ts/core/stores";

/** Both properties have an index in new containers. */
export const HAS_NAME = "c.type = 'instance' AND c.orchestrationName != ''";

/** Condition without an index: the service looks into each document. */
export const IS_KEPT = "NOT IS_DEFINED(c.duroxideTs.deletion)";

/** Condition without an index: the instance of a schedule is in no list and no count. */
export const IS_NO_SCHEDULE: string = `c.orchestrationName != '${SCHEDULE_ORCHESTRATION}'`;

export const IS_NAMED: string = `${HAS_NAME} AND ${IS_KEPT}`;
