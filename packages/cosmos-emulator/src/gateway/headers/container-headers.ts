/** Headers by which clients keep track of a container and its partitions (docs/reference/cosmos-protocol.md §1.11, §1.12). */
import type { Container, PartitionKeyRange } from "../../engine/index.ts";
import type { PartitionPosition } from "../../protocol/cosmos-error.ts";
import { HEADER, isAscii } from "./headers.ts";
import { sessionToken } from "./session-token.ts";

type Headers = Record<string, string>;

export function containerHeaders(container: Container): Headers {
  const names = `dbs/${container.databaseId}/colls/${container.id}`;
  const contentPath = { [HEADER.contentPath]: container.rid };
  // Clients compare this with names as they are, so what cannot stand in a header is left out rather than encoded.
  return isAscii(names) ? { ...contentPath, [HEADER.contentPathByName]: names } : contentPath;
}

/** Makes the headers of the replica that answers; refusals have them too, without those of the container. */
export function replicaHeaders({ rangeId, lsn }: PartitionPosition): Headers {
  return {
    [HEADER.sessionToken]: sessionToken(rangeId, lsn),
    [HEADER.partitionRange]: rangeId,
    [HEADER.lsn]: String(lsn),
    "x-ms-cosmos-llsn": String(lsn),
    "x-ms-global-committed-lsn": String(lsn),
  };
}

/** Makes the headers of a write: when it is answered, the other replicas are known to have what came before it. */
export function writtenHeaders(position: PartitionPosition): Headers {
  const acknowledged = String(position.lsn - 1);
  return {
    ...replicaHeaders(position),
    "x-ms-global-committed-lsn": acknowledged,
    "x-ms-quorum-acked-lsn": acknowledged,
    "x-ms-cosmos-quorum-acked-llsn": acknowledged,
    "x-ms-current-write-quorum": "3",
    "x-ms-current-replica-set-size": "4",
  };
}

/** Makes the headers of a read in one physical partition. */
export function positionHeaders(container: Container, position: PartitionPosition): Headers {
  return { ...containerHeaders(container), ...replicaHeaders(position) };
}

/** Makes the headers of a feed or query, which may touch several partitions. */
export function rangesHeaders(
  container: Container,
  ranges: readonly Pick<PartitionKeyRange, "id" | "lsn">[],
): Headers {
  const [first, ...others] = ranges;
  if (first === undefined) return containerHeaders(container);
  if (others.length === 0) return positionHeaders(container, { rangeId: first.id, lsn: first.lsn });
  const tokens = ranges.map(({ id, lsn }) => sessionToken(id, lsn));
  return { ...containerHeaders(container), [HEADER.sessionToken]: tokens.join(",") };
}
