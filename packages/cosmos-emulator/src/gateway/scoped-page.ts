import type { FeedPage, PartitionKeyRange } from "../engine/index.ts";

/** A page of a query, with the physical partitions that were asked for it. */
export interface ScopedPage {
  readonly page: FeedPage;
  readonly ranges: readonly PartitionKeyRange[];
}
