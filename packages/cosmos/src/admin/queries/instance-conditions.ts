/**
 * The conditions of a filter: those that an index serves, and those that the service checks document by document
 * (ordered-page.OP3).
 */
import type { JSONValue } from "@azure/cosmos";
import {
  askedStatuses,
  type FailureCategory,
  hidesSchedules,
  type InstanceFilter,
  type ListedStatus,
  ProviderError,
  tagConditionsOf,
  withRunsOf,
} from "@duroxide-ts/core/stores";
import { tagText } from "../../documents/tags.ts";
import type { Work } from "../../memory/parts.ts";
import { HAS_NAME, IS_KEPT, IS_NO_SCHEDULE } from "../named-instances.ts";
import { type BlockedInstances, blockedInstances } from "./blocked-instances.ts";

export interface InstanceConditions {
  readonly indexed: string;
  readonly others: string;
  readonly parameters: Readonly<Record<string, JSONValue>>;
}

/** The most by which the clocks of processes may be behind the clock of the service, ms. */
const CLOCK_DIFFERENCE_MS = 600_000;

const CANCELLED = '{"Application":{"kind":{"Cancelled":';

/** Part of the details of a cancellation whose clean-up did not fail: a quote within a reason has a backslash before it. */
const NO_MESSAGE = 'CONTAINS(c.duroxideTs.failure, \'}},"message":""\')';

/** The beginnings of the stored details of failures. */
const DETAILS: Readonly<Record<FailureCategory, string>> = {
  application: '{"Application":',
  cancelled: CANCELLED,
  "clean-up-failed": CANCELLED,
  configuration: '{"Configuration":',
  infrastructure: '{"Infrastructure":',
  poison: '{"Poison":',
};

/** Rust stores no details. */
const CANCELLED_BY_MESSAGE = `(NOT IS_DEFINED(c.duroxideTs.failure) AND IS_STRING(c.output)
  AND STARTSWITH(c.output, 'canceled: '))`;

/** Condition on an instance that is stored as failed: it was cancelled. */
export const IS_CANCELLED: string = `((IS_DEFINED(c.duroxideTs.failure) AND STARTSWITH(c.duroxideTs.failure, '${CANCELLED}'))
  OR ${CANCELLED_BY_MESSAGE})`;

/** Condition on an instance that is stored as running: its start is to come. The value of `@now` is the present. */
export const IS_SCHEDULED = "(IS_DEFINED(c.duroxideTs.startsAt) AND c.duroxideTs.startsAt > @now)";

/** Condition on an instance that is stored as running: its limit holds its code back. */
export const IS_WAITING = "IS_DEFINED(c.duroxideTs.waitsFor)";

/** Rust does not reset the status when the next execution begins (`runsOn`). */
const RUNS_ON = "(c.status = 'ContinuedAsNew' AND NOT IS_DEFINED(c.duroxideTs.completedAt))";

const HAS_ENDED = "c.status IN ('Completed', 'Failed')";

/** Rust stores no end time; the time of the last change is the best estimate. */
const END = "(c.duroxideTs.completedAt ?? c.updatedAt)";

/** The conditions of a filter, and all blocked work where it had to be read for them. */
export async function conditionsFor(
  work: Work,
  given: InstanceFilter,
): Promise<InstanceConditions & { readonly blocked?: BlockedInstances }> {
  refuseRanges(work.operation, given);
  const filter = withRunsOf(given);
  const nowMs = work.clock.now();
  if (filter.blocked === undefined) return conditionsOf(filter, nowMs, undefined);
  const blocked = await blockedInstances(work);
  return { ...conditionsOf(filter, nowMs, [...blocked.keys()]), blocked };
}

/** The index has a text for each tag, whose order is not that of the values. */
function refuseRanges(operation: string, { tags }: InstanceFilter): void {
  const [range] = tagConditionsOf(tags).ranges;
  if (range === undefined) return;
  const [key] = range;
  throw new ProviderError({
    code: "unsupported",
    operation,
    message: `tags: Cosmos DB finds tags by their values, and not within a range as asked of ${JSON.stringify(key)}; ask for each value, or set a tag with the range that a value lies in, such as priority: "high"`,
  });
}

/** `blocked` has the ids of all blocked instances, if the filter asks for it. */
function conditionsOf(
  filter: InstanceFilter,
  nowMs: number,
  blocked: readonly string[] | undefined,
): InstanceConditions {
  const indexed: string[] = [HAS_NAME];
  const others: string[] = hidesSchedules(filter) ? [IS_KEPT, IS_NO_SCHEDULE] : [IS_KEPT];
  const parameters: Record<string, JSONValue> = { "@now": nowMs };
  const add = (to: string[], condition: string, name?: string, value?: JSONValue): void => {
    to.push(condition);
    if (name !== undefined && value !== undefined) parameters[name] = value;
  };
  const { instanceIds, status, name, version, idPrefix, parentId, failureCategory, errorContains } = filter;
  if (instanceIds !== undefined)
    add(indexed, "ARRAY_CONTAINS(@ids, c.instanceId)", "@ids", instanceIds.map(wellFormed));
  if (status !== undefined) addStatus(status, indexed, others, parameters);
  if (name !== undefined) {
    add(indexed, "ARRAY_CONTAINS(@names, c.orchestrationName)", "@names", name.map(wellFormed));
  }
  if (version !== undefined) {
    add(others, "ARRAY_CONTAINS(@versions, c.orchestrationVersion)", "@versions", version.map(wellFormed));
  }
  if (idPrefix !== undefined)
    add(indexed, "STARTSWITH(c.instanceId, @prefix)", "@prefix", wellFormed(idPrefix));
  if (parentId !== undefined) {
    add(
      indexed,
      "ARRAY_CONTAINS(@parents, c.parentInstanceId)",
      "@parents",
      [parentId].flat().map(wellFormed),
    );
  }
  if (filter.rootsOnly === true) {
    add(indexed, "(NOT IS_DEFINED(c.parentInstanceId) OR c.parentInstanceId = null)");
  }
  for (const [index, [key, value]] of tagConditionsOf(filter.tags).exact.entries()) {
    add(indexed, `ARRAY_CONTAINS(c.duroxideTs.tags, @tag${index})`, `@tag${index}`, tagText(key, value));
  }
  addTimes(filter, indexed, others, parameters);
  if (filter.completedBeforeMs !== undefined)
    add(others, `${HAS_ENDED} AND ${END} < @completedBefore`, "@completedBefore", filter.completedBeforeMs);
  if (failureCategory !== undefined || errorContains !== undefined) add(indexed, "c.status = 'Failed'");
  if (failureCategory !== undefined) add(others, inCategory(failureCategory));
  if (errorContains !== undefined) {
    add(others, "CONTAINS(c.output, @message, true)", "@message", wellFormed(errorContains));
  }
  if (filter.blocked === true)
    add(indexed, "ARRAY_CONTAINS(@blocked, c.instanceId)", "@blocked", [...(blocked ?? [])]);
  if (filter.blocked === false) {
    add(others, "NOT ARRAY_CONTAINS(@blocked, c.instanceId)", "@blocked", [...(blocked ?? [])]);
  }
  if (filter.suspended !== undefined) add(others, filter.suspended ? IS_SUSPENDED : `NOT ${IS_SUSPENDED}`);
  const all = others.map((condition) => `(${condition})`).join(" AND ");
  return { indexed: indexed.join(" AND "), others: all, parameters };
}

const IS_SUSPENDED = "IS_DEFINED(c.duroxideTs.suspended)";

/** Every write sets the service's time, so an instance has not been updated since (with the difference of clocks). */
function addTimes(
  { createdFromMs, createdToMs, updatedFromMs, updatedToMs }: InstanceFilter,
  indexed: string[],
  others: string[],
  parameters: Record<string, JSONValue>,
): void {
  if (createdFromMs !== undefined) {
    indexed.push("c.createdAt >= @createdFrom");
    parameters["@createdFrom"] = createdFromMs;
  }
  if (createdToMs !== undefined) {
    indexed.push("c.createdAt < @createdTo");
    parameters["@createdTo"] = createdToMs;
  }
  if (updatedFromMs !== undefined) {
    indexed.push("c._ts >= @writtenFrom");
    others.push("c.updatedAt >= @updatedFrom");
    parameters["@writtenFrom"] = Math.floor((updatedFromMs - CLOCK_DIFFERENCE_MS) / 1_000);
    parameters["@updatedFrom"] = updatedFromMs;
  }
  if (updatedToMs !== undefined) {
    others.push("c.updatedAt < @updatedTo");
    parameters["@updatedTo"] = updatedToMs;
  }
}

function addStatus(
  statuses: readonly ListedStatus[],
  indexed: string[],
  others: string[],
  parameters: Record<string, JSONValue>,
): void {
  const { stored, scheduled, waiting, cancelled } = askedStatuses(statuses);
  parameters["@statuses"] = [...stored];
  indexed.push(withStatus(stored));
  const isOther = `(c.status != 'Running' AND NOT ${RUNS_ON})`;
  const notScheduled = `NOT ${IS_SCHEDULED}`;
  if (scheduled !== undefined) others.push(`${isOther} OR ${scheduled ? IS_SCHEDULED : notScheduled}`);
  if (waiting !== undefined && scheduled !== true)
    others.push(`${isOther} OR ${IS_SCHEDULED} OR ${waiting ? IS_WAITING : `NOT ${IS_WAITING}`}`);
  if (cancelled !== undefined)
    others.push(`c.status != 'Failed' OR ${cancelled ? IS_CANCELLED : `NOT ${IS_CANCELLED}`}`);
}

function withStatus(statuses: readonly string[]): string {
  const listed = "ARRAY_CONTAINS(@statuses, c.status)";
  const runs = statuses.includes("Running");
  const between = statuses.includes("ContinuedAsNew");
  if (runs && !between) return `(${listed} OR ${RUNS_ON})`;
  return between && !runs ? `(${listed} AND NOT ${RUNS_ON})` : listed;
}

function inCategory(categories: readonly FailureCategory[]): string {
  const each = categories.map((category) => {
    const begins = `STARTSWITH(c.duroxideTs.failure, '${DETAILS[category]}')`;
    if (category === "application") {
      return `(${begins} AND NOT STARTSWITH(c.duroxideTs.failure, '${CANCELLED}'))`;
    }
    if (category === "cancelled") return `(${begins} AND ${NO_MESSAGE}) OR ${CANCELLED_BY_MESSAGE}`;
    return category === "clean-up-failed" ? `(${begins} AND NOT ${NO_MESSAGE})` : begins;
  });
  return each.length === 0 ? "false" : each.join(" OR ");
}

function wellFormed(text: string): string {
  return text.toWellFormed();
}
