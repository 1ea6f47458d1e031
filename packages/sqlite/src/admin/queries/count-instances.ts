/** Counts of instances: of their statuses without reading them, else of all that can match. */
import {
  type CountKey,
  checkCountKeys,
  checkInstanceFilter,
  type InstanceCounts,
  type InstanceFilter,
} from "@duroxide-ts/core/stores";
import type { Store } from "../../store.ts";
import { storeFilter } from "./conditions.ts";
import { COUNT, countRanges } from "./count-ranges.ts";
import { asksForStatuses, countStatuses } from "./count-statuses.ts";
import { rangesFor } from "./ranges.ts";

export async function countInstances(
  store: Store,
  nowMs: number,
  given: InstanceFilter = {},
  by: readonly CountKey[] = [],
): Promise<InstanceCounts> {
  checkInstanceFilter(COUNT, given);
  checkCountKeys(COUNT, by);
  if (asksForStatuses(given, by)) return { counts: await countStatuses(store, nowMs, given.status, by) };
  const { filter, ranges } = await store.read(COUNT, (db) => {
    const filter = storeFilter(db, given);
    return { filter, ranges: rangesFor(db, { filter }) };
  });
  return { counts: await countRanges(store, { filter, ranges, by, nowMs }) };
}
