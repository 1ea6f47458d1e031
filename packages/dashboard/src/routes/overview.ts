/** `GET /api/overview`: the figures of the first page. `GET /api/figures`: those that it leaves out where they cost. */
import type { CountedFigures, Overview } from "../page/shapes/overview.ts";
import { countFigures, readOverview } from "../source/overview.ts";
import type { ReadRoute } from "./route.ts";

export const overview: ReadRoute = {
  path: "overview",
  read: ({ source }): Promise<Overview> => source.overview.read(source.clock, () => readOverview(source)),
};

/** Asked by the button of the page only: the store reads all that runs, and all that failed in the last day. */
export const figures: ReadRoute = {
  path: "figures",
  isLong: true,
  read: ({ source }): Promise<CountedFigures> => countFigures(source),
};
