/**
 * A query over all partitions that needs no merging: as on the service, each page comes from one partition, and the
 * continuation names the next one.
 */
import type { Container, FeedPage, PartitionKeyRange, QueryRequest } from "../engine/index.ts";
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { JsonValue } from "../protocol/json.ts";
import { isJsonObject } from "../protocol/json-text.ts";

/** A page of a query, with the physical partitions that were asked for it. */
export interface ScopedPage {
  readonly page: FeedPage;
  readonly ranges: readonly PartitionKeyRange[];
}

interface Progress {
  readonly rangeId: string;
  /** Continuation inside that partition; undefined at its beginning. */
  readonly token: string | undefined;
}

/** Answers a page from one partition after the other. `answer` gives the page of one partition. */
export function queryPartitionsInTurn(
  container: Container,
  request: QueryRequest,
  answer: (request: QueryRequest) => ScopedPage,
): ScopedPage {
  const { continuation, ...query } = request;
  const ids = container.partitionKeyRanges().map(({ id }) => id);
  const { rangeId, token } = continuation === undefined ? beginningAt(ids[0]) : readProgress(continuation);
  const index = ids.indexOf(rangeId);
  if (index === -1) throw malformed();
  const { page, ranges } = answer({
    ...query,
    rangeId,
    ...(token === undefined ? {} : { continuation: token }),
  });
  const next = page.continuation === undefined ? ids[index + 1] : rangeId;
  const { continuation: inside, ...rest } = page;
  if (next === undefined) return { page: rest, ranges };
  return { page: { ...rest, continuation: writeProgress({ rangeId: next, token: inside }) }, ranges };
}

function beginningAt(rangeId = ""): Progress {
  return { rangeId, token: undefined };
}

function writeProgress({ rangeId, token }: Progress): string {
  return JSON.stringify({ range: rangeId, token: token ?? null });
}

function readProgress(continuation: string): Progress {
  const value = parsed(continuation);
  const { range, token } = isJsonObject(value) ? value : {};
  if (typeof range !== "string" || (token !== null && typeof token !== "string")) throw malformed();
  return { rangeId: range, token: token ?? undefined };
}

function parsed(continuation: string): JsonValue {
  try {
    return JSON.parse(continuation) as JsonValue;
  } catch (cause) {
    throw malformed(cause);
  }
}

function malformed(cause?: unknown): CosmosError {
  const message = "The continuation is malformed: send back the x-ms-continuation of the last page.";
  return CosmosError.badRequest(message, { cause });
}
