/** TOP, OFFSET and LIMIT. */
import type { JsonValue } from "../../protocol/json.ts";
import { queryError } from "../syntax/query-error.ts";
import type { Count, Select } from "../syntax/tree.ts";

/** The number of rows that a query leaves out at the start, and the most that it answers. */
export interface Counts {
  readonly skip: number;
  readonly take: number | undefined;
}

/** Finds the counts. Throws CosmosError 400 for a count that is no whole number from 0 to 2^31 - 1. */
export function translateCounts(select: Select, parameters: ReadonlyMap<string, JsonValue>): Counts {
  if (select.top !== undefined && select.page !== undefined) {
    throw queryError("SC2100", "TOP cannot stand together with OFFSET and LIMIT.", select.top);
  }
  const top = select.top && countOf(select.top, parameters);
  const limit = select.page && countOf(select.page.limit, parameters);
  const skip = select.page === undefined ? 0 : countOf(select.page.offset, parameters);
  return { skip, take: top ?? limit };
}

function countOf(count: Count, parameters: ReadonlyMap<string, JsonValue>): number {
  const value = count.kind === "parameter" ? parameters.get(count.name) : count.value;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 0x7fffffff) {
    const message = "TOP, OFFSET and LIMIT take a whole number that is not negative.";
    throw queryError("SC2100", message, count);
  }
  return value;
}
