/** `admin.forEach` on a store. */
import { checkBulk } from "../../contract/admin-arguments.ts";
import type { InstanceFilter } from "../../contract/queries.ts";
import { toObserver } from "../../define/observers.ts";
import { type BulkVerb, eachInstance, type ForEachOptions, type ForEachResult } from "./for-each.ts";
import type { VerbTools } from "./revising.ts";

export async function forEachInstance(
  tools: VerbTools,
  filter: InstanceFilter,
  verb: BulkVerb,
  options: ForEachOptions,
): Promise<ForEachResult> {
  checkBulk("forEach", filter);
  const observed = (given: ForEachOptions["onProgress"]) => toObserver("onProgress", given, tools);
  return eachInstance({ admin: tools.admin, observed }, filter, verb, options);
}
