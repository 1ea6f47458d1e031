/** Queries on the items of a container, page by page. */
import type { JsonValue } from "../../protocol/json.ts";
import { type Query, runQuery, type Scope } from "../../sql/index.ts";
import { queryCharge } from "../charges/query-charge.ts";
import type { ContainerState } from "../container-state.ts";
import type { QueryAdvice } from "../definition/query-advice.ts";
import { prepareIndex } from "../indexes/query-indexes.ts";
import type { Store } from "../store/store.ts";
import { type FeedScope, resolveScope } from "./feed-scope.ts";
import { MAX_PAGE_BYTES, pageRows } from "./page.ts";
import type { FeedPage } from "./read-feed.ts";
import { readBehind } from "./stale-reads.ts";

/** A query, and the page of its results that is wanted. */
export interface QueryPageRequest {
  /** Text of the query. */
  readonly query: string;
  /** Values by name with `@`. */
  readonly parameters?: ReadonlyMap<string, JsonValue>;
  /** Number of rows. Absent or 0: the service's own size; negative: all that fit into a page. */
  readonly maxItems?: number;
  readonly continuation?: string;
}

export interface QueryRequest extends QueryPageRequest, FeedScope {
  /** Number of latest writes that are not seen. */
  readonly writesBehind?: number;
}

/** Queries databases, containers and other resources, like items. */
export function queryResources(
  store: Store,
  kind: string,
  parent: string,
  request: QueryPageRequest,
): FeedPage {
  const conditions = [{ sql: "d.kind = ? AND d.parent = ?", values: [kind, parent] }];
  return run(store, { table: "resources", conditions }, request);
}

/** Queries items. Throws 400 for a query that is malformed or that the container's indexes refuse. */
export function queryItems(state: ContainerState, request: QueryRequest): FeedPage {
  const query = state.store.parsedQuery(request.query);
  const advice = state.advice(query);
  const { conditions, partitions, pk } = resolveScope(state, request);
  prepareIndex(state, advice.index, pk);
  return readBehind(state, partitions, request.writesBehind ?? 0, () =>
    run(state.store, { table: state.table.name, conditions }, request, advice),
  );
}

function run(
  store: Store,
  scope: Scope,
  { query, parameters, maxItems, continuation }: QueryPageRequest,
  advice?: QueryAdvice,
): FeedPage {
  const parsed = store.parsedQuery(query);
  const page = runQuery(store.statements, parsed, scope, {
    parameters: parameters ?? new Map(),
    maxItems: pageRows(maxItems),
    maxBytes: MAX_PAGE_BYTES,
    ...(continuation !== undefined && { continuation }),
    ...advice,
  });
  const charge = queryCharge({
    rows: page.rows.length,
    returnedBytes: page.rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0),
    matchedRows: isCut(parsed) && advice?.orderCovered === false ? page.matchedRows : 0,
    scannedBytes: page.scannedBytes,
  });
  return {
    rows: page.rows,
    charge,
    ...(page.continuation !== undefined && { continuation: page.continuation }),
  };
}

/** Tells whether the query matches rows that it may not answer, or not in the order in which they are found. */
function isCut({ select }: Query): boolean {
  return select.top !== undefined || select.page !== undefined || select.orderBy.length > 0;
}
