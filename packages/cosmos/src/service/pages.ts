/** The pages of a query, and the options that ask for one. */
import type { FeedOptions } from "@azure/cosmos";

/** The results of a query in one response. */
export interface Page<T> {
  readonly results: readonly T[];
  /** Undefined on the last page. */
  readonly continuation: string | undefined;
}

/** The results of a query in all of its responses. */
export interface AllPages<T> {
  readonly results: readonly T[];
  readonly isOnePage: boolean;
}

const RANGE_HEADER = "x-ms-documentdb-partitionkeyrangeid";

/** Sends the query to one physical partition, so that it needs no plan. */
export function rangeOptions(
  range: string,
  limit: number | undefined,
  continuationToken: string | undefined,
): FeedOptions {
  return {
    initialHeaders: { [RANGE_HEADER]: range },
    ...(limit !== undefined && { maxItemCount: limit }),
    ...(continuationToken !== undefined && { continuationToken }),
  };
}

export function after(options: FeedOptions, continuationToken: string | undefined): FeedOptions {
  return continuationToken === undefined ? options : { ...options, continuationToken };
}

/** The service may return an empty page although there are more results (docs/reference/cosmos-protocol.md §1.8). */
export function isEmpty<T>(page: Page<T>): page is Page<T> & { readonly continuation: string } {
  return page.results.length === 0 && page.continuation !== undefined;
}
