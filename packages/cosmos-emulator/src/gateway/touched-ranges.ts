import type { Container, FeedScope, PartitionKeyRange } from "../engine/index.ts";

/** The physical partitions in which the items of a scope lie, as far as it names them; all of them otherwise. */
export function touchedRanges(container: Container, scope: FeedScope): readonly PartitionKeyRange[] {
  const ranges = container.partitionKeyRanges();
  const rangeId = scope.rangeId ?? rangeOfKey(container, scope);
  return rangeId === undefined ? ranges : ranges.filter(({ id }) => id === rangeId);
}

/** The first components of a hierarchical key may lie in several. */
function rangeOfKey(container: Container, { partitionKey }: FeedScope): string | undefined {
  const levels = container.partitionKey.paths.length;
  const isWhole = partitionKey?.length === levels || partitionKey?.length === 0;
  return isWhole ? container.rangeIdOf(partitionKey) : undefined;
}
