/** Filtered lists and counts of instances. */
import { storedStatus } from "../../../../contract/listed-status.ts";
import type {
  CountKey,
  InstanceCounts,
  InstanceFilter,
  InstanceQuery,
  InstanceQueryPage,
  InstanceSummary,
} from "../../../../contract/queries.ts";
import {
  checkCountKeys,
  checkInstanceFilter,
  checkInstanceQuery,
  DEFAULT_PAGE,
} from "../../../../contract/query-arguments.ts";
import { type Blocked, hasEnded } from "../../../../contract/status.ts";
import { continuationOf, positionOf } from "../../../../stores/continuation.ts";
import { instanceFailure } from "../../../../stores/instance-summary.ts";
import { withoutLargeOutput } from "../../../../stores/listed-output.ts";
import { withRunsOf } from "../../../../wire/scheduled.ts";
import { allBlocked } from "../../blocked.ts";
import { currentExecution, type Store } from "../../store.ts";
import { getInstanceInfo } from "../inspect.ts";
import { matches } from "./matches.ts";

/** An instance with its position in each order. */
interface Placed {
  readonly summary: InstanceSummary;
  readonly number: number;
}

export function queryInstances(store: Store, query: InstanceQuery = {}): InstanceQueryPage {
  const operation = "queryInstances";
  checkInstanceQuery(operation, query);
  const { filter = {}, order = "created-desc", limit = DEFAULT_PAGE, continuation } = query;
  const asked = { filter, order };
  const isPlace = (place: readonly unknown[]): boolean =>
    place.length === 2 && place.every((part) => typeof part === "number");
  const after = positionOf(operation, asked, continuation, isPlace);
  const placed = placedInstances(store, filter)
    .map((instance) => ({ ...instance, place: placeOf(order, instance) }))
    .filter(({ place }) => after === undefined || compare(place, after as readonly number[]) > 0)
    .sort((a, b) => compare(a.place, b.place));
  const page = placed.slice(0, limit);
  const instances = page.map(({ summary }) => summary);
  const last = page.at(-1);
  if (placed.length <= limit || last === undefined) return { instances };
  return { instances, continuation: continuationOf(asked, last.place) };
}

export function countInstances(
  store: Store,
  filter: InstanceFilter = {},
  by: readonly CountKey[] = [],
): InstanceCounts {
  checkInstanceFilter("countInstances", filter);
  checkCountKeys("countInstances", by);
  const counts = new Map<string, { readonly key: readonly string[]; count: number }>();
  if (by.length === 0) counts.set("[]", { key: [], count: 0 });
  for (const { summary } of placedInstances(store, filter)) {
    const key = by.map((name) => propertyOf(summary, name));
    const text = JSON.stringify(key);
    const known = counts.get(text);
    if (known === undefined) counts.set(text, { key, count: 1 });
    else known.count++;
  }
  return { counts: [...counts.values()] };
}

/** All that match, in the order in which they were created. */
export function matchingInstances(store: Store, filter: InstanceFilter): readonly InstanceSummary[] {
  return placedInstances(store, filter).map(({ summary }) => summary);
}

function propertyOf(summary: InstanceSummary, key: CountKey): string {
  if (key === "status") return summary.status;
  return key === "name" ? summary.orchestrationName : summary.orchestrationVersion;
}

function placedInstances(store: Store, given: InstanceFilter): readonly Placed[] {
  const filter = withRunsOf(given);
  const blocked = longestBlocked(store);
  return [...store.instances].flatMap(([instanceId, { number, tags }]) => {
    const { output, status, completedAtMs } = currentExecution(store, instanceId) ?? {};
    const summary = summaryOf(store, instanceId, blocked.get(instanceId));
    return matches(
      summary,
      { tags, message: output ?? "", completedAtMs: hasEnded(status) ? completedAtMs : undefined },
      filter,
    )
      ? [{ summary, number }]
      : [];
  });
}

/** The sort key of an instance, ascending in every order. */
function placeOf(order: InstanceQuery["order"], { summary, number }: Placed): readonly [number, number] {
  if (order === "created-asc") return [summary.createdAtMs, number];
  return [order === "updated-desc" ? -summary.updatedAtMs : -summary.createdAtMs, -number];
}

function compare([aMs = 0, a = 0]: readonly number[], [bMs = 0, b = 0]: readonly number[]): number {
  return aMs - bMs || a - b;
}

function summaryOf(store: Store, instanceId: string, blocked: Blocked | undefined): InstanceSummary {
  const info = getInstanceInfo(store, instanceId);
  const isFailed = storedStatus(info.status) === "Failed";
  const failure = isFailed ? currentExecution(store, instanceId)?.failure : undefined;
  return {
    ...withoutLargeOutput(info),
    ...(failure !== undefined && { failure: instanceFailure(failure) }),
    ...(blocked !== undefined && { blocked }),
  };
}

function longestBlocked(store: Store): ReadonlyMap<string, Blocked> {
  const longest = new Map<string, Blocked>();
  for (const blocked of allBlocked(store)) {
    const known = longest.get(blocked.instanceId);
    if (known === undefined || blocked.sinceMs < known.sinceMs) longest.set(blocked.instanceId, blocked);
  }
  return longest;
}
