/**
 * Checks of the arguments of administrative calls, for the client and for every store. An invalid time or number must
 * never mean "no condition", because deletion and pruning would then delete everything.
 */
import { type OptionList, optionFault, optionList } from "../options/option-list.ts";
import type { InstanceFilter, ListInstancesOptions, PruneOptions } from "./admin.ts";
import { ProviderError } from "./provider-error.ts";
import type { ExecutionStatus } from "./status.ts";

/** A record, so that a status that is added to the type and not here does not compile. */
const STATUSES: Readonly<Record<ExecutionStatus, true>> = {
  Running: true,
  Completed: true,
  Failed: true,
  ContinuedAsNew: true,
};

const FILTER: OptionList = optionList<InstanceFilter>({
  instanceIds: true,
  completedBeforeMs: true,
  limit: true,
});
const PRUNE: OptionList = optionList<PruneOptions>({ keepLast: true, completedBeforeMs: true });
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
  checkInstant(operation, completedBeforeMs);
  checkCount(operation, "limit", limit, 0);
}

/** `invalid-input` unless the options are numbers. */
export function checkPruneOptions(operation: string, options: PruneOptions): void {
  requireObject(operation, "the second argument", options);
  checkNames(operation, "the second argument", options, PRUNE);
  checkCount(operation, "keepLast", options.keepLast, 0);
  checkInstant(operation, options.completedBeforeMs);
}

/** `invalid-input` unless the options describe a possible page. */
export function checkListInstances(operation: string, options: ListInstancesOptions = {}): void {
  requireObject(operation, "the options", options);
  checkNames(operation, "the options", options, LIST);
  const { status, limit, continuation } = options;
  if (status !== undefined && !Object.hasOwn(STATUSES, status)) {
    const known = Object.keys(STATUSES).join(", ");
    throw refusal(operation, `status is ${describe(status)}; it must be one of ${known}`);
  }
  checkCount(operation, "limit", limit, 1);
  if (continuation !== undefined && typeof continuation !== "string") {
    throw refusal(operation, "continuation is no text; pass that of the previous page");
  }
}

function checkInstant(operation: string, value: number | undefined): void {
  if (value === undefined || Number.isFinite(value)) return;
  throw refusal(
    operation,
    `completedBeforeMs is ${describe(value)}; it must be an instant in ms since the epoch, such as Date.parse("2030-01-31")`,
  );
}

function checkCount(operation: string, name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw refusal(operation, `${name} is ${describe(value)}; it must be a whole number from ${least}`);
}

function requireObject(operation: string, name: string, value: unknown): void {
  if (typeof value === "object" && value !== null) return;
  throw refusal(operation, `${name} is ${describe(value)}; it must be an object, {} where nothing is asked`);
}

/** A misspelt condition must never mean "no condition". */
function checkNames(operation: string, name: string, value: object, known: OptionList): void {
  const fault = optionFault(name, value, known);
  if (fault !== undefined) throw refusal(operation, fault);
}

/** Numbers unquoted, because JSON has no NaN; strings in quotes; otherwise the type. */
function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 50));
  if (typeof value === "number" || value === undefined || value === null) return String(value);
  return value instanceof Date ? "a Date" : `of type ${typeof value}`;
}

function refusal(operation: string, message: string): ProviderError {
  return new ProviderError({ code: "invalid-input", operation, message });
}
