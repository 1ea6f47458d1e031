/** Which part of a container the headers of a query or feed name. */
import type { Container, EpkRange, FeedScope, PartitionKeyRange } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { type PartitionKey, parsePartitionKeyHeader } from "../../protocol/partition-key.ts";
import { HEADER, integerHeader, textHeader } from "../headers/headers.ts";
import type { GatewayRequest } from "./request.ts";

/** Undefined where the header is absent; 400 if it is malformed. */
export function partitionKeyOfRequest({ headers }: GatewayRequest): PartitionKey | undefined {
  const header = textHeader(headers, HEADER.partitionKey);
  return header === undefined || header === "" ? undefined : parsePartitionKeyHeader(header);
}

export function feedScope(request: GatewayRequest): FeedScope {
  const partitionKey = partitionKeyOfRequest(request);
  const rangeId = rangeIdOf(request);
  const epkRange = epkRangeOf(request);
  return {
    ...(partitionKey === undefined ? {} : { partitionKey }),
    ...(rangeId === undefined ? {} : { rangeId }),
    ...(epkRange === undefined ? {} : { epkRange }),
  };
}

export function isWholeContainer(scope: FeedScope): boolean {
  return scope.partitionKey === undefined && scope.rangeId === undefined && scope.epkRange === undefined;
}

/** The physical partitions in which the items of a scope lie, as far as it names them; all of them otherwise. */
export function touchedRanges(container: Container, scope: FeedScope): readonly PartitionKeyRange[] {
  const ranges = container.partitionKeyRanges();
  const rangeId = scope.rangeId ?? rangeOfKey(container, scope);
  return rangeId === undefined ? ranges : ranges.filter(({ id }) => id === rangeId);
}

/** Rows of a page, -1 for all that fit, and where it begins. */
export function pageOfRequest({ headers }: GatewayRequest): { maxItems?: number; continuation?: string } {
  const maxItems = integerHeader(headers, HEADER.maxItemCount);
  const continuation = textHeader(headers, HEADER.continuation);
  return {
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(continuation === undefined || continuation === "" ? {} : { continuation }),
  };
}

/** Old clients write `<container>,<range>`. */
function rangeIdOf({ headers }: GatewayRequest): string | undefined {
  const text = textHeader(headers, HEADER.partitionRange)?.trim();
  return text === undefined || text === "" ? undefined : text.slice(text.lastIndexOf(",") + 1);
}

function epkRangeOf({ headers }: GatewayRequest): EpkRange | undefined {
  const start = textHeader(headers, HEADER.startEpk)?.trim();
  const end = textHeader(headers, HEADER.endEpk)?.trim();
  if (start === undefined && end === undefined) return undefined;
  const range = { minInclusive: (start ?? "").toUpperCase(), maxExclusive: (end ?? "FF").toUpperCase() };
  const isValid =
    /^[0-9A-F]*$/.test(range.minInclusive + range.maxExclusive) && range.minInclusive < range.maxExclusive;
  if (isValid) return range;
  throw CosmosError.badRequest(
    `The range ${start} to ${end} is invalid: ${HEADER.startEpk} and ${HEADER.endEpk} are hex, the first less than the second.`,
  );
}

/** The first components of a hierarchical key may lie in several. */
function rangeOfKey(container: Container, { partitionKey }: FeedScope): string | undefined {
  const levels = container.partitionKey.paths.length;
  const isWhole = partitionKey?.length === levels || partitionKey?.length === 0;
  return isWhole ? container.rangeIdOf(partitionKey) : undefined;
}
