/**
 * What every author of a store needs besides the contract.
 *
 * @module @duroxide-ts/core/stores
 */
export { acceptsTag } from "./accepts-tag.ts";
export { NOTHING_DELETED, pruneEach, sumOfDeletions } from "./admin-results.ts";
export { invalidInput, later, toDurationMs, toMessageId, toPositiveId } from "./arguments.ts";
export { Watchers } from "./watchers.ts";
