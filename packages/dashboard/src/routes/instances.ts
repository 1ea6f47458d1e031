/** `GET /api/instances`: a page of instances that match the filter of the address. */
import type { InstanceQuery } from "@duroxide-ts/core/stores";
import { choiceIn } from "../http/choice-in.ts";
import { FILTER_KEYS, type ListFilter, type ListOrder, ORDERS } from "../page/shapes/filter.ts";
import type { InstanceRow, InstancesPage } from "../page/shapes/instances.ts";
import { rowOf } from "../source/instance-rows.ts";
import type { Source } from "../source/source.ts";
import { checkedFilter, storeFilter } from "../source/store-filter.ts";
import { type Call, positiveNumber, type ReadRoute } from "./route.ts";

const MOST_ROWS = 200;
const DEFAULT_ROWS = 50;
/** Rows of a page without queries, where each is a read of its own. */
const ROWS_WITHOUT_QUERIES = 50;

export const instances: ReadRoute = {
  path: "instances",
  async read(call): Promise<InstancesPage> {
    const { source, query } = call;
    const startedAtMs = source.clock.now();
    const filter = checkedFilter(query, ["order", "limit", "continuation"]);
    const limit = Math.min(positiveNumber(call, "limit") ?? DEFAULT_ROWS, MOST_ROWS);
    const page = await (readPage(call, filter, limit) ?? readNewest(source, filter));
    const nowMs = source.clock.now();
    return { ...page, tookMs: nowMs - startedAtMs, nowMs };
  },
};

type Rows = Pick<InstancesPage, "rows" | "continuation" | "ignored" | "requestUnits">;

function readPage({ source, query }: Call, filter: ListFilter, limit: number): Promise<Rows> | undefined {
  if (!source.admin.queries) return undefined;
  const continuation = query.get("continuation") ?? undefined;
  const order = orderOf(query.get("order"));
  const asked: InstanceQuery = {
    filter: storeFilter(filter, source.clock.now()),
    limit,
    ...(order !== undefined && { order }),
    ...(continuation !== undefined && { continuation }),
  };
  return source.admin.query(asked).then((page) => ({
    rows: page.instances.map(rowOf),
    ignored: [],
    ...(page.continuation !== undefined && { continuation: page.continuation }),
    ...(page.cost !== undefined && { requestUnits: page.cost.requestUnits }),
  }));
}

const STATUS_OF = { running: "Running", completed: "Completed", failed: "Failed" } as const;

async function readNewest({ client, admin }: Source, filter: ListFilter): Promise<Rows> {
  const rows: InstanceRow[] = [];
  const status = Object.entries(STATUS_OF).find(([state]) => state === filter.state)?.[1];
  const ignored = FILTER_KEYS.filter(
    (key) => filter[key] !== undefined && !(key === "state" && status !== undefined),
  );
  const options = { pageSize: ROWS_WITHOUT_QUERIES, ...(status !== undefined && { status }) };
  for await (const id of client.admin.instances(options)) {
    rows.push(rowOf(await admin.info(id)));
    if (rows.length === ROWS_WITHOUT_QUERIES) break;
  }
  return { rows, ignored };
}

function orderOf(text: string | null): ListOrder | undefined {
  return text === null || text === "" ? undefined : choiceIn('"order"', text, ORDERS);
}
