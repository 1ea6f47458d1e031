/**
 * How old a state a read may see: what a fault rule says, bounded by what the caller's session has seen already
 * (docs/reference/cosmos-protocol.md §1.11).
 */
import type { PartitionKeyRange } from "../engine/index.ts";
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { RequestContext } from "./context.ts";
import { HEADER, textHeader } from "./headers/headers.ts";
import { parseSessionTokens } from "./headers/session-token.ts";

/**
 * The number of writes that a read of these physical partitions is to leave out. Throws 404/1002 if a session token
 * is ahead of one of them.
 */
export function writesToLeaveOut(
  { request, writesBehind }: RequestContext,
  ranges: readonly Pick<PartitionKeyRange, "id" | "lsn">[],
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
