/**
 * A page of documents in the order of a time, over all physical partitions or in one logical partition.
 *
 * - ordered-page.OP1: A page examines at most so many documents of each partition; it then ends where the first
 *   partition stopped, full or not, so its cost does not depend on the number of documents.
 * - ordered-page.OP2: Documents of one time are read whole and ordered here, because the service orders by one property
 *   only.
 * - ordered-page.OP3: Only conditions with an index are conditions of the query. The service reads a document to check
 *   any other condition, and does not report the documents that it leaves out. Such conditions are a column of the
 *   result.
 */
import type { JSONValue } from "@azure/cosmos";
import type { Work } from "../../memory/parts.ts";
import type { Page } from "../../service/pages.ts";

/** The position of a document: the time by which the service orders, then the values that break ties. */
export type Place = readonly [at: number, ...ties: (number | string)[]];

export interface OrderedQuery<Row> {
  /** The query with its conditions, without an order. */
  readonly select: string;
  readonly parameters: Readonly<Record<string, JSONValue>>;
  readonly by: "c.createdAt" | "c._ts" | "c.visibleAt";
  readonly descending: boolean;
  /** The instance whose partition has all documents of the query. */
  readonly instanceId?: string;
  readonly placeOf: (row: Row) => Place;
  /** Whether a page has the row. */
  readonly matches: (row: Row) => boolean;
}

export interface OrderedPage<Row> {
  readonly rows: readonly Row[];
  /** The position after all examined documents; `undefined` on the last page. */
  readonly end: Place | undefined;
}

/** The most documents of one partition that a page examines. */
const BUDGET = 1_000;

/** The next documents from a continuation on. */
type Ask<Row> = (spec: Spec, continuation: string | undefined) => Promise<Page<Row>>;

interface Spec {
  readonly query: string;
  readonly parameters: { name: string; value: JSONValue }[];
}

interface Examined<Row> {
  readonly rows: readonly { readonly row: Row; readonly place: Place }[];
  readonly isAll: boolean;
}

export async function orderedPage<Row>(
  work: Work,
  query: OrderedQuery<Row>,
  after: Place | undefined,
  limit: number,
): Promise<OrderedPage<Row>> {
  const compare = query.descending ? (a: Place, b: Place) => -inOrder(a, b) : inOrder;
  const { instanceId } = query;
  const size = Math.min(limit + 1, BUDGET);
  const search = (ask: Ask<Row>): Promise<Examined<Row>> => examine(ask, query, after, limit);
  const found =
    instanceId === undefined
      ? await work.inRanges((range) => search((spec, from) => work.rangePage(range, spec, size, from)))
      : [await search((spec, from) => work.page(instanceId, spec, size, from))];
  const frontier = found
    .flatMap(({ rows, isAll }) => (isAll ? [] : rows.slice(-1)))
    .map(({ place }) => place)
    .sort(compare)[0];
  const all = found.flatMap(({ rows }) => rows).sort((a, b) => compare(a.place, b.place));
  const rows: Row[] = [];
  let end: Place | undefined;
  for (const { row, place } of all) {
    if (frontier !== undefined && compare(frontier, place) < 0) break;
    if (query.matches(row)) {
      if (rows.length === limit) return { rows, end };
      rows.push(row);
    }
    end = place;
  }
  return { rows, end: frontier };
}

/** Returns rows in the order of the list, without the last time if it may not be complete (ordered-page.OP2). */
async function examine<Row>(
  ask: Ask<Row>,
  query: OrderedQuery<Row>,
  after: Place | undefined,
  limit: number,
): Promise<Examined<Row>> {
  const { placeOf, matches, descending } = query;
  const compare = descending ? (a: Place, b: Place) => -inOrder(a, b) : inOrder;
  const spec = specOf(query, after);
  const rows: { readonly row: Row; readonly place: Place }[] = [];
  let matching = 0;
  let lastAt: number | undefined;
  let continuation: string | undefined;
  do {
    const page = await ask(spec, continuation);
    for (const row of page.results) {
      const place = placeOf(row);
      if (after !== undefined && compare(after, place) >= 0) continue;
      if (lastAt !== undefined && place[0] !== lastAt) return { rows: rows.sort(byPlace), isAll: false };
      rows.push({ row, place });
      if (matches(row)) matching++;
      if (matching > limit || rows.length >= BUDGET) lastAt ??= place[0];
    }
    continuation = page.continuation;
  } while (continuation !== undefined);
  return { rows: rows.sort(byPlace), isAll: true };

  function byPlace(a: { readonly place: Place }, b: { readonly place: Place }): number {
    return compare(a.place, b.place);
  }
}

function specOf<Row>(
  { select, parameters, by, descending }: OrderedQuery<Row>,
  after: Place | undefined,
): Spec {
  const beginning = descending ? Number.MAX_SAFE_INTEGER : 0;
  const [than, order] = descending ? ["<=", "DESC"] : [">=", "ASC"];
  return {
    query: `${select} AND ${by} ${than} @from ORDER BY ${by} ${order}`,
    parameters: Object.entries({ ...parameters, "@from": after?.[0] ?? beginning }).map(([name, value]) => ({
      name,
      value,
    })),
  };
}

function inOrder(a: Place, b: Place): number {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? part;
    if (part < other) return -1;
    if (part > other) return 1;
  }
  return 0;
}
