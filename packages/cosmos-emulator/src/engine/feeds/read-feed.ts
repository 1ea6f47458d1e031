/** All items of a scope, in the order of their insertion, page by page. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { queryCharge } from "../charges/query-charge.ts";
import type { ContainerState } from "../container-state.ts";
import { type FeedScope, resolveScope } from "./feed-scope.ts";
import { pageRows, takePage } from "./page.ts";
import { readBehind } from "./stale-reads.ts";

export interface ReadFeedRequest extends FeedScope {
  /** Number of rows. Absent or 0: the service's own size; negative: all that fit into a page. */
  readonly maxItems?: number;
  readonly continuation?: string;
  /** Number of latest writes that are not seen. */
  readonly writesBehind?: number;
}

export interface FeedPage {
  /** JSON texts. */
  readonly rows: readonly string[];
  /** Place of the next page; absent after the last one. */
  readonly continuation?: string;
  readonly charge: number;
}

/** Throws 400 for a continuation that this feed did not give out. */
export function readFeed(state: ContainerState, request: ReadFeedRequest): FeedPage {
  const { conditions, partitions } = resolveScope(state, request);
  const after = parseContinuation(request.continuation);
  const where = [...conditions.map(({ sql }) => sql), "d.seq > ?"].join(" AND ");
  const sql = `SELECT d.seq AS seq, d.body AS body FROM ${state.table.name} AS d WHERE ${where} ORDER BY d.seq LIMIT ?`;
  const maxRows = pageRows(request.maxItems);
  const values = [...conditions.flatMap((condition) => condition.values), after, maxRows + 1];
  const { rows, bytes, isCut } = readBehind(state, partitions, request.writesBehind ?? 0, () =>
    takePage(state.store.connection.iterate<{ seq: number; body: string }>(sql, ...values), maxRows),
  );
  return {
    rows: rows.map(({ body }) => body),
    charge: queryCharge({ rows: rows.length, returnedBytes: bytes }),
    ...(isCut && { continuation: JSON.stringify({ after: rows.at(-1)?.seq ?? after }) }),
  };
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
