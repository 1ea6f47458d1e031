/** `GET /api/overview`: the figures of the first page. */
import type { Overview } from "../page/shapes/overview.ts";
import { readOverview } from "../source/overview.ts";
import type { ReadRoute } from "./route.ts";

export const overview: ReadRoute = {
  path: "overview",
  read: ({ source }): Promise<Overview> => source.overview.read(source.clock, () => readOverview(source)),
};
