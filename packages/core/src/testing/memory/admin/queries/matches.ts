/** Whether an instance matches a filter. */
import { storedStatus } from "../../../../contract/listed-status.ts";
import type { InstanceFilter, InstanceSummary } from "../../../../contract/queries.ts";
import { meetsTags } from "../../../../contract/tag-conditions.ts";
import { hidesSchedules, SCHEDULE_ORCHESTRATION } from "../../../../wire/scheduled.ts";
import type { Tags } from "../../../../wire/tags.ts";

/** The facts that a summary has not: the end of the current execution, and tags that are not shown. */
export interface Ending {
  readonly tags: Tags;
  /** The stored output, which is the message of a failure. */
  readonly message: string;
  /** Absent while the instance runs, also between two executions. */
  readonly completedAtMs: number | undefined;
}

export function matches(
  instance: InstanceSummary,
  { message, completedAtMs, tags }: Ending,
  filter: InstanceFilter,
): boolean {
  if (instance.orchestrationName === SCHEDULE_ORCHESTRATION && hidesSchedules(filter)) return false;
  return (
    isOneOf(instance.instanceId, filter.instanceIds) &&
    (filter.completedBeforeMs === undefined ||
      (completedAtMs ?? Number.POSITIVE_INFINITY) < filter.completedBeforeMs) &&
    isOneOf(instance.status, filter.status) &&
    isOneOf(instance.orchestrationName, filter.name) &&
    isOneOf(instance.orchestrationVersion, filter.version) &&
    instance.instanceId.startsWith(filter.idPrefix ?? "") &&
    hasParent(instance, filter) &&
    isWithin(instance.createdAtMs, filter.createdFromMs, filter.createdToMs) &&
    isWithin(instance.updatedAtMs, filter.updatedFromMs, filter.updatedToMs) &&
    hasFailure(instance, message, filter) &&
    isOrIsNot(instance.blocked, filter.blocked) &&
    isOrIsNot(instance.suspended, filter.suspended) &&
    meetsTags(tags, filter.tags)
  );
}

function isOneOf(value: string, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.includes(value);
}

function hasParent({ parentInstanceId }: InstanceSummary, filter: InstanceFilter): boolean {
  const { parentId } = filter;
  if (parentId !== undefined && ![parentId].flat().includes(parentInstanceId ?? "")) return false;
  return filter.rootsOnly !== true || parentInstanceId === undefined;
}

function isWithin(ms: number, fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY): boolean {
  return ms >= fromMs && ms < toMs;
}

function hasFailure({ status, failure }: InstanceSummary, message: string, filter: InstanceFilter): boolean {
  const { failureCategory, errorContains } = filter;
  // Rust stores no details; the message of a cancellation tells it.
  const category = failure?.category ?? (status === "Cancelled" ? "cancelled" : undefined);
  if (failureCategory !== undefined && !failureCategory.some((each) => each === category)) return false;
  if (errorContains === undefined) return true;
  return storedStatus(status) === "Failed" && message.toLowerCase().includes(errorContains.toLowerCase());
}

function isOrIsNot(value: object | undefined, wanted: boolean | undefined): boolean {
  return wanted === undefined || wanted === (value !== undefined);
}
