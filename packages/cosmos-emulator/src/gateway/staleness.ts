/**
 * The replica that answers a read: one that lags behind as far as a fault rule says, bounded by what the caller's
 * session has seen already (docs/reference/cosmos-protocol.md §1.11).
 */
import type { Container, PartitionKeyRange } from "../engine/index.ts";
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { RequestContext } from "./context.ts";
import { HEADER, textHeader } from "./headers/headers.ts";
import { parseSessionTokens } from "./headers/session-token.ts";

export interface Replica {
  /** The number of writes of each physical partition that it lacks. */
  readonly writesBehind: number;
  /** The physical partitions, with the position that it has reached in each. */
  readonly ranges: readonly PartitionKeyRange[];
}

/** Throws 404/1002 if a session token is ahead of one of the partitions. */
export function answeringReplica(
  context: RequestContext,
  container: Container,
  ranges: readonly PartitionKeyRange[],
): Replica {
  const writesBehind = writesToLeaveOut(context, ranges);
  if (writesBehind === 0) return { writesBehind, ranges };
  const reached = ranges.map((range) => ({ ...range, lsn: container.lsnOf(range.id, writesBehind) }));
  return { writesBehind, ranges: reached };
}

function writesToLeaveOut(
  { request, writesBehind }: RequestContext,
  ranges: readonly PartitionKeyRange[],
): number {
  const header = textHeader(request.headers, HEADER.sessionToken);
  if (header === undefined) return writesBehind;
  const wanted = parseSessionTokens(header);
  let allowed = writesBehind;
  for (const { id, lsn } of ranges) {
    const seen = wanted.get(id);
    if (seen === undefined) continue;
    if (seen > lsn) throw sessionNotAvailable(id, seen, lsn);
    allowed = Math.min(allowed, lsn - seen);
  }
  return allowed;
}

function sessionNotAvailable(rangeId: string, wanted: number, present: number): CosmosError {
  return CosmosError.notFound(
    `The read session is not available for the input session token: it wants position ${wanted} of partition ${rangeId}, which is at ${present}.`,
    { substatus: 1002 },
  );
}
