/** `GET /api/instances`: a page of instances that match the filter of the address. */
import type { InstanceQuery } from "@duroxide-ts/core/stores";
import { choiceIn } from "../http/choice-in.ts";
import { type ListFilter, type ListOrder, ORDERS } from "../page/shapes/filter.ts";
import type { InstancesPage } from "../page/shapes/instances.ts";
import { rowOf } from "../source/instance-rows.ts";
import { checkedFilter, storeFilter } from "../source/store-filter.ts";
import { type Call, positiveNumber, type ReadRoute } from "./route.ts";

const MOST_ROWS = 200;
const DEFAULT_ROWS = 50;

export const instances: ReadRoute = {
  path: "instances",
  async read(call): Promise<InstancesPage> {
    const { source, query } = call;
    const startedAtMs = source.clock.now();
    const filter = checkedFilter(query, ["order", "limit", "continuation"]);
    const limit = Math.min(positiveNumber(call, "limit") ?? DEFAULT_ROWS, MOST_ROWS);
    const page = await readPage(call, filter, limit);
    const nowMs = source.clock.now();
    return { ...page, tookMs: nowMs - startedAtMs, nowMs };
  },
};

type Rows = Pick<InstancesPage, "rows" | "continuation" | "requestUnits">;

async function readPage({ source, query }: Call, filter: ListFilter, limit: number): Promise<Rows> {
  const continuation = query.get("continuation") ?? undefined;
  const order = orderOf(query.get("order"));
  const asked: InstanceQuery = {
    filter: storeFilter(filter, source.clock.now()),
    limit,
    ...(order !== undefined && { order }),
    ...(continuation !== undefined && { continuation }),
  };
  const page = await source.admin.query(asked);
  return {
    rows: page.instances.map(rowOf),
    ...(page.continuation !== undefined && { continuation: page.continuation }),
    ...(page.cost !== undefined && { requestUnits: page.cost.requestUnits }),
  };
}

function orderOf(text: string | null): ListOrder | undefined {
  return text === null || text === "" ? undefined : choiceIn('"order"', text, ORDERS);
}
