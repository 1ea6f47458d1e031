/**
 * SQLite's indexes on the paths of queries, created when a query that needs one meets a table large enough to
 * feel it. Each costs every later write a little, so small containers and small partitions have none.
 */
import { createHash } from "node:crypto";
import { indexColumns } from "../../sql/index.ts";
import type { ContainerState } from "../container-state.ts";
import type { IndexPath } from "../definition/query-advice.ts";
import type { Connection } from "../store/connection.ts";

/** Number of rows from which an index pays: fewer are read one by one in less than a millisecond. */
const LARGE_ROWS = 200;

/** Largest number of indexes of a container. Programs ask far fewer kinds of question; further ones have no index. */
const MOST_INDEXES = 24;

/** @param pk The logical partition to which the query is restricted, as text. */
export function prepareIndex(
  state: ContainerState,
  paths: readonly IndexPath[],
  pk: string | undefined,
): void {
  const { connection } = state.store;
  if (paths.length === 0 || state.lastSeq < LARGE_ROWS || connection.isInTransaction) return;
  const columns = indexColumns(paths);
  if (columns.length === 0) return;
  const all = pk === undefined ? columns : ["pk", ...columns];
  const what = `index on ${all.join()}`;
  if (state.isPrepared(what) || (pk !== undefined && !isLarge(state, pk))) return;
  state.once(what, () => create(connection, state.table.name, all, pk !== undefined));
}

/** Drops the indexes after a change of the policy: the next queries create those that the new policy allows. */
export function dropQueryIndexes(connection: Connection, table: string): void {
  for (const name of queryIndexes(connection, table)) connection.exec(`DROP INDEX ${name}`);
}

function isLarge(state: ContainerState, pk: string): boolean {
  const sql = `SELECT count(*) AS rows FROM (SELECT 1 FROM ${state.table.name} WHERE pk = ? LIMIT ${LARGE_ROWS})`;
  return (state.store.connection.get<{ rows: number }>(sql, pk)?.rows ?? 0) >= LARGE_ROWS;
}

function create(
  connection: Connection,
  table: string,
  columns: readonly string[],
  isInPartition: boolean,
): void {
  const existing = queryIndexes(connection, table);
  const mark = createHash("sha256").update(columns.join()).digest("hex").slice(0, 12);
  const name = `${table}_by_${mark}`;
  if (existing.includes(name) || existing.length >= MOST_INDEXES) return;
  connection.transaction(() => {
    connection.exec(`CREATE INDEX ${name} ON ${table} (${columns.join(", ")})`);
    describe(connection, table, name, selectivity(columns.length, isInPartition));
  });
}

function queryIndexes(connection: Connection, table: string): readonly string[] {
  return connection
    .all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND name GLOB ?",
      table,
      `${table}_by_*`,
    )
    .map(({ name }) => name);
}

/**
 * Describes an index to SQLite, which plans by how many rows it expects behind each column of an index. Without
 * figures it believes that the type of a value tells rows apart better than the partition key does. These are
 * invented, the same for every container, so that plans do not depend on what was stored when an index was created: a
 * partition has few rows, and each further path leaves a hundredth of them.
 */
function describe(connection: Connection, table: string, index: string, rows: readonly number[]): void {
  connection.exec("ANALYZE sqlite_schema");
  const describeOne = (name: string, figures: readonly number[]): void => {
    connection.run("DELETE FROM sqlite_stat1 WHERE tbl = ? AND idx = ?", table, name);
    connection.run(
      "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)",
      table,
      name,
      figures.join(" "),
    );
  };
  describeOne(`sqlite_autoindex_${table}_1`, [TABLE_ROWS, PARTITION_ROWS, 1]);
  describeOne(index, rows);
  connection.exec("ANALYZE sqlite_schema");
}

const TABLE_ROWS = 1_000_000;
const PARTITION_ROWS = 25;

/**
 * Invents the figures of an index. Each path has two columns: the rank of the type, which tells little, and the
 * value.
 */
function selectivity(columns: number, isInPartition: boolean): readonly number[] {
  const figures = [TABLE_ROWS];
  let rows = isInPartition ? PARTITION_ROWS : TABLE_ROWS;
  if (isInPartition) figures.push(rows);
  for (let column = figures.length - 1; column < columns; column++) {
    const isValue = (column - (isInPartition ? 1 : 0)) % 2 === 1;
    rows = Math.max(1, Math.floor(isValue ? rows / 100 : rows * 0.9));
    figures.push(rows);
  }
  return figures;
}
