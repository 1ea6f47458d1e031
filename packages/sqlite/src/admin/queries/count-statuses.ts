/**
 * Counts of instances by status, from the totals that commits keep. Only those that begin later, wait for a limit or are
 * cancelled are read, because the totals count them as running and as failed.
 *
 * - count-statuses.CS1: The totals have each instance with a name, but those of schedules, under its stored status. These
 *   are the ones that a filter without a name shows.
 */
import type { CountKey, InstanceCount, InstanceFilter, ListedStatus } from "@duroxide-ts/core/stores";
import type { Store } from "../../store.ts";
import { findTotals } from "../metrics.ts";
import { storeFilter } from "./conditions.ts";
import { COUNT, countRanges, type Search } from "./count-ranges.ts";
import { type Ranges, rangesFor } from "./ranges.ts";

/** Whether the count depends on nothing but statuses. */
export function asksForStatuses(filter: InstanceFilter, by: readonly CountKey[]): boolean {
  const { status: _, ...others } = filter;
  return Object.values(others).every((value) => value === undefined) && by.every((key) => key === "status");
}

export async function countStatuses(
  store: Store,
  nowMs: number,
  asked: readonly ListedStatus[] | undefined,
  by: readonly CountKey[],
): Promise<readonly InstanceCount[]> {
  const all = await countEach(store, nowMs);
  const counts = all.filter(([status, count]) => count > 0 && (asked?.includes(status) ?? true));
  if (by.length > 0) return counts.map(([status, count]) => ({ key: [status], count }));
  return [{ key: [], count: counts.reduce((sum, [, count]) => sum + count, 0) }];
}

/** The reads are not one snapshot, so a difference may be less than nothing for a moment. */
async function countEach(store: Store, nowMs: number): Promise<readonly (readonly [ListedStatus, number])[]> {
  // An instance that has begun, or has ended, keeps the time of its delayed start.
  const scheduled = await countPart(store, nowMs, "Scheduled", { ranges: STARTING, afterMs: nowMs });
  const waiting = await countPart(store, nowMs, "Waiting", { ranges: WAITING });
  const cancelled = await countPart(store, nowMs, "Cancelled");
  const { instances, running, completed, failed } = await store.read(COUNT, findTotals);
  return [
    ["Running", running - scheduled - waiting],
    ["Scheduled", scheduled],
    ["Waiting", waiting],
    ["Completed", completed],
    ["Failed", failed - cancelled],
    ["Cancelled", cancelled],
    ["ContinuedAsNew", instances - running - completed - failed],
  ];
}

/** Instances with a time of a delayed start, and those that their limit holds back. */
const STARTING = partOf("instances_starting", "starts_at");
const WAITING = partOf("instances_held", "held_since");

function partOf(index: string, time: "starts_at" | "held_since"): Ranges {
  const source = `instances INDEXED BY ${index}`;
  return { source, time, columns: [], where: `${time} IS NOT NULL`, values: [[]], implied: [] };
}

async function countPart(
  store: Store,
  nowMs: number,
  status: ListedStatus,
  part: Partial<Search> = {},
): Promise<number> {
  const search = await store.read(COUNT, (db) => {
    const filter = storeFilter(db, { status: [status] });
    return { filter, ranges: rangesFor(db, { filter }), by: [], nowMs, ...part };
  });
  const [counted] = await countRanges(store, search);
  return counted?.count ?? 0;
}
