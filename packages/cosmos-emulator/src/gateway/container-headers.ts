/** Headers by which clients keep track of a container and its partitions (docs/reference/cosmos-protocol.md §1.11). */
import type { Container, PartitionKeyRange } from "../engine/index.ts";
import { HEADER, isAscii } from "./headers.ts";
import { sessionToken } from "./session-token.ts";

/** Where an operation on one physical partition took place, and the latest write there. */
export interface Position {
  readonly partitionRangeId: string;
  readonly lsn: number;
}

export function containerHeaders(container: Container): Record<string, string> {
  const names = `dbs/${container.databaseId}/colls/${container.id}`;
  const contentPath = { [HEADER.contentPath]: container.rid };
  // Clients compare this with names as they are, so what cannot stand in a header is left out rather than encoded.
  return isAscii(names) ? { ...contentPath, [HEADER.contentPathByName]: names } : contentPath;
}

export function positionHeaders(
  container: Container,
  { partitionRangeId, lsn }: Position,
): Record<string, string> {
  return {
    ...containerHeaders(container),
    [HEADER.sessionToken]: sessionToken(partitionRangeId, lsn),
    [HEADER.partitionRange]: partitionRangeId,
    lsn: String(lsn),
  };
}

/** Of a feed or query, which may touch several partitions. */
export function rangesHeaders(
  container: Container,
  ranges: readonly Pick<PartitionKeyRange, "id" | "lsn">[],
): Record<string, string> {
  const [first, ...others] = ranges;
  if (first === undefined) return containerHeaders(container);
  if (others.length === 0) return positionHeaders(container, { partitionRangeId: first.id, lsn: first.lsn });
  const tokens = ranges.map(({ id, lsn }) => sessionToken(id, lsn));
  return { ...containerHeaders(container), [HEADER.sessionToken]: tokens.join(",") };
}
