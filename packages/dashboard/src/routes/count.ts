/** `GET /api/count`: the number of instances that match. */
import { filterFrom } from "../page/shapes/filter.ts";
import type { MatchCount } from "../page/shapes/instances.ts";
import { storeFilter } from "../source/store-filter.ts";
import type { ReadRoute } from "./route.ts";

export const count: ReadRoute = {
  path: "count",
  async read({ source, query }): Promise<MatchCount> {
    const { counts } = await source.admin.count(storeFilter(filterFrom(query), source.clock.now()));
    return { count: counts[0]?.count ?? 0 };
  },
};
