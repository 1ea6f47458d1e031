/** `GET /api/count`: the number of instances that match. */
import type { MatchCount } from "../page/shapes/instances.ts";
import { checkedFilter, storeFilter } from "../source/store-filter.ts";
import type { ReadRoute } from "./route.ts";

export const count: ReadRoute = {
  path: "count",
  isLong: true,
  async read({ source, query }): Promise<MatchCount> {
    const { counts } = await source.admin.count(storeFilter(checkedFilter(query), source.clock.now()));
    return { count: counts[0]?.count ?? 0 };
  },
};
