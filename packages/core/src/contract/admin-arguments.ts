/**
 * Checks of the arguments of administrative calls, for the client and for every store. An invalid time or number must
 * never mean "no condition", because deletion and pruning would then delete everything.
 */
import { type OptionList, optionList } from "../options/option-list.ts";
import type { BulkOptions, ListBlockedOptions, PruneOptions } from "./admin.ts";
import {
  checkChoice,
  checkContinuation,
  checkCount,
  checkInstant,
  checkNames,
  checkText,
  refusal,
  requireObject,
  requirePlainObject,
} from "./argument-checks.ts";
import type { InstanceFilter } from "./queries.ts";
import { checkInstanceFilter } from "./query-arguments.ts";

const BULK: OptionList = optionList<BulkOptions>({ limit: true });
const PRUNE: OptionList = optionList<PruneOptions>({ keepLast: true, completedBeforeMs: true, limit: true });
const LIST_BLOCKED: OptionList = optionList<ListBlockedOptions>({
  instanceId: true,
  limit: true,
  continuation: true,
});

/** `invalid-input` unless the filter and the options are those of a change of many instances. */
export function checkBulk(operation: string, filter: InstanceFilter, options: BulkOptions = {}): void {
  requirePlainObject(operation, "the filter", filter);
  checkInstanceFilter(operation, filter);
  // A condition that a program could not fill in would change everything.
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) continue;
    throw refusal(
      operation,
      `${name} is undefined; leave it out to have no condition on it, or give its value`,
    );
  }
  if (filter.tags !== undefined && Object.keys(filter.tags).length === 0)
    throw refusal(operation, "tags is empty; leave it out to have no condition on it, or name a tag");
  requireObject(operation, "the second argument", options);
  checkNames(operation, "the second argument", options, BULK);
  checkCount(operation, "limit", options.limit, 0);
}

/** `invalid-input` unless the options are numbers. */
export function checkPruneOptions(operation: string, options: PruneOptions): void {
  requireObject(operation, "the second argument", options);
  checkNames(operation, "the second argument", options, PRUNE);
  checkCount(operation, "keepLast", options.keepLast, 0);
  checkCount(operation, "limit", options.limit, 0);
  checkInstant(operation, "completedBeforeMs", options.completedBeforeMs);
}

/** `invalid-input` unless the options describe a possible page of blocked work. */
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
