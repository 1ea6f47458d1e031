/** The part of a container that the headers of a query or feed name. */
import type { Container, EpkRange, FeedScope, PartitionKeyRange } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { type PartitionKey, parsePartitionKeyHeader } from "../../protocol/partition-key.ts";
import { HEADER, integerHeader, textHeader } from "../headers/headers.ts";
import type { GatewayRequest } from "./request.ts";

/** Reads the partition key; undefined where the header is absent, 400 if it is malformed. */
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

/**
 * Finds the physical partitions in which the items of a scope lie, as far as it names them; all of them otherwise.
 */
export function touchedRanges(container: Container, scope: FeedScope): readonly PartitionKeyRange[] {
  const ranges = container.partitionKeyRanges();
  const rangeId = scope.rangeId ?? rangeOfKey(container, scope);
  return rangeId === undefined ? ranges : ranges.filter(({ id }) => id === rangeId);
}

/** Reads the rows of a page, -1 for all that fit, and its beginning. `mostItems` is the limit of a fault rule. */
export function pageOfRequest(
  { headers }: GatewayRequest,
  mostItems?: number,
): { maxItems?: number; continuation?: string } {
  const asked = integerHeader(headers, HEADER.maxItemCount);
  const maxItems = mostItems === undefined || mostItems === 0 ? asked : fewer(asked, mostItems);
  const continuation = textHeader(headers, HEADER.continuation);
  const isAtBeginning = continuation === undefined || continuation === "" || continuation === BEGINNING;
  return {
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(isAtBeginning ? {} : { continuation }),
  };
}

/** A continuation that leads to the first page. */
const BEGINNING = '{"beginning":true}';

function fewer(asked: number | undefined, most: number): number {
  return asked === undefined || asked <= 0 ? most : Math.min(asked, most);
}

/** Empties a page, where a rule wants that; its continuation leads to what it leaves out. */
export function emptiedBy<Page extends { readonly rows: readonly string[]; readonly continuation?: string }>(
  page: Page,
  { headers }: GatewayRequest,
  mostItems: number | undefined,
): Page {
  if (mostItems !== 0 || page.rows.length === 0) return page;
  const before = textHeader(headers, HEADER.continuation);
  return { ...page, rows: [], continuation: before === undefined || before === "" ? BEGINNING : before };
}

/** Reads the id of a range. Old clients write `<container>,<range>`. */
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

/** Finds the range of a whole key. The first components of a hierarchical key may lie in several. */
function rangeOfKey(container: Container, { partitionKey }: FeedScope): string | undefined {
  const levels = container.partitionKey.paths.length;
  const isWhole = partitionKey?.length === levels || partitionKey?.length === 0;
  return isWhole ? container.rangeIdOf(partitionKey) : undefined;
}
