/**
 * The change feed in its latest-version mode: every item once, at its latest version, in the order of writes;
 * deletes are not shown. A position is the LSN up to which a reader has seen everything
 * (docs/reference/cosmos-protocol.md §1.10).
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { queryCharge } from "../charges/query-charge.ts";
import type { ContainerState } from "../container-state.ts";
import { type FeedScope, resolveScope } from "./feed-scope.ts";
import { pageRows, takePage } from "./page.ts";

export interface ChangeFeedRequest extends FeedScope {
  readonly maxItems?: number;
  /** The ETag of an earlier page, or `*` for "from now on". Absent: from the beginning. */
  readonly ifNoneMatch?: string;
  /** Seconds since the epoch; only what was written then or later. Counts where there is no `ifNoneMatch`. */
  readonly modifiedSince?: number;
}

export interface ChangeFeedPage {
  /** JSON texts with `_lsn`; none means 304. */
  readonly rows: readonly string[];
  /** The position after this page, as an ETag with its quotes. */
  readonly etag: string;
  readonly lsn: number;
  readonly rangeId: string;
  readonly charge: number;
}

/** Throws 400 unless the scope lies in one physical partition, or for a position that is none. */
export function changeFeed(state: ContainerState, request: ChangeFeedRequest): ChangeFeedPage {
  const { conditions, partitions } = resolveScope(state, request);
  const [partition, ...others] = partitions;
  if (partition === undefined || others.length > 0) {
    throw CosmosError.badRequest(
      "A change feed is read from one physical partition. Send x-ms-documentdb-partitionkeyrangeid or a partition key.",
    );
  }
  const { lsn } = partition;
  const answer = { lsn, rangeId: partition.id };
  if (request.ifNoneMatch === "*") return { ...answer, rows: [], etag: `"${lsn}"`, charge: 1 };
  const after = request.ifNoneMatch === undefined ? 0 : parsePosition(request.ifNoneMatch);
  const found = findChanges(state, conditions, {
    after,
    since: request.ifNoneMatch === undefined ? (request.modifiedSince ?? 0) : 0,
    maxRows: pageRows(request.maxItems),
  });
  if (found.length === 0) return { ...answer, rows: [], etag: `"${Math.max(after, lsn)}"`, charge: 1 };
  const rows = found.map(({ body, lsn: written }) => `${body.slice(0, -1)},"_lsn":${written}}`);
  const returnedBytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0);
  return {
    ...answer,
    rows,
    etag: `"${found.at(-1)?.lsn ?? lsn}"`,
    charge: queryCharge({ rows: rows.length, returnedBytes }),
  };
}

interface Change {
  readonly lsn: number;
  readonly body: string;
}

function findChanges(
  state: ContainerState,
  conditions: ReturnType<typeof resolveScope>["conditions"],
  { after, since, maxRows }: { readonly after: number; readonly since: number; readonly maxRows: number },
): readonly Change[] {
  const { connection } = state.store;
  const table = state.table.name;
  createFeedIndex(state);
  const where = conditions.map(({ sql }) => `${sql} AND `).join("");
  const values = conditions.flatMap((condition) => condition.values);
  const select = `SELECT d.lsn AS lsn, d.body AS body FROM ${table} AS d WHERE ${where}`;
  const changes = connection.iterate<Change>(
    `${select} d.lsn > ? AND d.ts >= ? ORDER BY d.lsn, d.seq LIMIT ?`,
    ...values,
    after,
    since,
    maxRows + 1,
  );
  const { rows: kept, isCut } = takePage(changes, maxRows);
  const last = kept.at(-1)?.lsn;
  if (last === undefined || !isCut) return kept;
  // A position lies behind all writes of a batch, so a page that was cut ends with the whole of its last one.
  const lastOnes = `${select} d.lsn = ? AND d.ts >= ? ORDER BY d.seq`;
  return [
    ...kept.filter(({ lsn }) => lsn !== last),
    ...connection.all<Change>(lastOnes, ...values, last, since),
  ];
}

/** Creates the index of the feed. Only containers whose feed is read pay for it. */
function createFeedIndex(state: ContainerState): void {
  state.once("change feed", () => {
    const { name } = state.table;
    state.store.connection.exec(`CREATE INDEX IF NOT EXISTS ${name}_feed ON ${name} (lsn)`);
  });
}

function parsePosition(etag: string): number {
  const position = /^"?(\d{1,15})"?$/.exec(etag)?.[1];
  if (position === undefined) {
    throw CosmosError.badRequest(
      `${etag} is no position of this change feed. Send the etag of its last answer.`,
    );
  }
  return Number(position);
}
