/**
 * Checks of the arguments of administrative calls, for the client and for every store. An invalid time or number must
 * never mean "no condition", because deletion and pruning would then delete everything.
 */
import { type OptionList, optionList } from "../options/option-list.ts";
import type { InstanceFilter, ListBlockedOptions, ListInstancesOptions, PruneOptions } from "./admin.ts";
import {
  checkChoice,
  checkContinuation,
  checkCount,
  checkInstant,
  checkNames,
  checkText,
  describe,
  EXECUTION_STATUSES,
  refusal,
  requireObject,
} from "./argument-checks.ts";

const FILTER: OptionList = optionList<InstanceFilter>({
  instanceIds: true,
  completedBeforeMs: true,
  limit: true,
});
const PRUNE: OptionList = optionList<PruneOptions>({ keepLast: true, completedBeforeMs: true });
const LIST_BLOCKED: OptionList = optionList<ListBlockedOptions>({
  instanceId: true,
  limit: true,
  continuation: true,
});
const LIST: OptionList = optionList<ListInstancesOptions>({ status: true, limit: true, continuation: true });

/** `invalid-input` unless the value is a filter of bulk deletion or pruning. */
export function checkInstanceFilter(operation: string, filter: InstanceFilter): void {
  requireObject(operation, "the filter", filter);
  checkNames(operation, "the filter", filter, FILTER);
  const { instanceIds, completedBeforeMs, limit } = filter;
  const areIds = Array.isArray(instanceIds) && instanceIds.every((id) => typeof id === "string");
  if (instanceIds !== undefined && !areIds) {
    throw refusal(operation, `instanceIds is ${describe(instanceIds)}; it must be a list of ids`);
  }
  checkInstant(operation, "completedBeforeMs", completedBeforeMs);
  checkCount(operation, "limit", limit, 0);
}

/** `invalid-input` unless the options are numbers. */
export function checkPruneOptions(operation: string, options: PruneOptions): void {
  requireObject(operation, "the second argument", options);
  checkNames(operation, "the second argument", options, PRUNE);
  checkCount(operation, "keepLast", options.keepLast, 0);
  checkInstant(operation, "completedBeforeMs", options.completedBeforeMs);
}

/** `invalid-input` unless the options describe a possible page. */
export function checkListInstances(operation: string, options: ListInstancesOptions = {}): void {
  requireObject(operation, "the options", options);
  checkNames(operation, "the options", options, LIST);
  const { status, limit, continuation } = options;
  checkChoice(operation, "status", status, EXECUTION_STATUSES);
  checkCount(operation, "limit", limit, 1);
  checkContinuation(operation, continuation);
}

/** The same for blocked work. */
export function checkListBlocked(operation: string, options: ListBlockedOptions = {}): void {
  requireObject(operation, "the options", options);
  checkNames(operation, "the options", options, LIST_BLOCKED);
  const { instanceId, limit, continuation } = options;
  checkText(operation, "instanceId", instanceId);
  if (instanceId !== undefined && (limit !== undefined || continuation !== undefined)) {
    throw refusal(operation, "the work of one instance is one page; leave out limit and continuation");
  }
  checkCount(operation, "limit", limit, 1);
  checkContinuation(operation, continuation);
}

/** `invalid-input` unless it is something that can be done with a dead letter. */
export function checkSettling(operation: string, how: "requeue" | "drop"): void {
  checkChoice(operation, "the second argument", how ?? null, ["requeue", "drop"]);
}
