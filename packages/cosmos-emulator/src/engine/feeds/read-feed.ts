/** All items of a scope, in the order of their insertion, page by page. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { queryCharge } from "../charges/query-charge.ts";
import type { ContainerState } from "../container-state.ts";
import { type FeedScope, resolveScope } from "./feed-scope.ts";
import { readBehind } from "./stale-reads.ts";

/** What the service returns at most in one page: rows where the caller names no number, and bytes. */
export const DEFAULT_PAGE_ROWS = 1000;
export const MAX_PAGE_BYTES: number = 4 * 1024 * 1024;

export interface ReadFeedRequest extends FeedScope {
  /** Absent or not positive: the service's own size. */
  readonly maxItems?: number;
  readonly continuation?: string;
  /** Reads the state so many writes ago. */
  readonly staleBy?: number;
}

export interface FeedPage {
  /** JSON texts. */
  readonly rows: readonly string[];
  /** Absent after the last page. */
  readonly continuation?: string;
  readonly charge: number;
}

/** Throws 400 for a continuation that this feed did not give out. */
export function readFeed(state: ContainerState, request: ReadFeedRequest): FeedPage {
  const { conditions, partitions } = resolveScope(state, request);
  const after = parseContinuation(request.continuation);
  const where = [...conditions.map(({ sql }) => sql), "d.seq > ?"].join(" AND ");
  const limit = pageRows(request.maxItems);
  const sql = `SELECT d.seq AS seq, d.body AS body FROM ${state.table.name} AS d WHERE ${where} ORDER BY d.seq LIMIT ?`;
  const values = conditions.flatMap((condition) => condition.values);
  const found = readBehind(state, partitions, request.staleBy ?? 0, () =>
    state.store.connection.all<{ seq: number; body: string }>(sql, ...values, after, limit + 1),
  );
  return pageOf(found, limit);
}

/** The number of rows of a page that asks for `maxItems`. */
export function pageRows(maxItems: number | undefined): number {
  return maxItems === undefined || maxItems <= 0 ? DEFAULT_PAGE_ROWS : maxItems;
}

function pageOf(found: readonly { readonly seq: number; readonly body: string }[], limit: number): FeedPage {
  const rows: string[] = [];
  let bytes = 0;
  let last = 0;
  for (const { seq, body } of found.slice(0, limit)) {
    bytes += Buffer.byteLength(body);
    if (bytes > MAX_PAGE_BYTES && rows.length > 0) break;
    rows.push(body);
    last = seq;
  }
  const charge = queryCharge({ rows: rows.length, returnedBytes: bytes });
  return rows.length < found.length
    ? { rows, charge, continuation: JSON.stringify({ after: last }) }
    : { rows, charge };
}

function parseContinuation(text: string | undefined): number {
  if (text === undefined) return 0;
  const after = /^\{"after":(\d{1,15})\}$/.exec(text)?.[1];
  if (after === undefined) {
    throw CosmosError.badRequest(
      "The continuation is malformed. Send back the x-ms-continuation of the last page.",
    );
  }
  return Number(after);
}
