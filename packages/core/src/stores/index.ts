/**
 * What every author of a store needs besides the contract.
 *
 * @module @duroxide-ts/core/stores
 */
export { ChurningMap } from "../collections/churning-map.ts";
export { type Member, Members } from "../collections/members.ts";
export { checkInstanceFilter, checkListInstances, checkPruneOptions } from "../contract/admin-arguments.ts";
export { type OptionList, optionFault, optionList } from "../options/option-list.ts";
export { acceptsTag } from "./accepts-tag.ts";
export { NOTHING_DELETED, pruneEach, sumOfDeletions } from "./admin-results.ts";
export {
  checkLockToken,
  checkSeenVersion,
  checkStartInstance,
  checkTagFilter,
  invalidInput,
  later,
  toDurationMs,
  toMessageId,
  toPositiveId,
} from "./arguments.ts";
export { messageOf } from "./message-of.ts";
export { type OrchestrationName, orchestrationOf, startIn } from "./orchestration-of.ts";
export { type OnWarning, warningsTo } from "./warnings.ts";
export { Watchers } from "./watchers.ts";
