/** `GET /api/workers`: the processes that have reported themselves. */
import type { WorkersView } from "../page/shapes/work.ts";
import { oldVersionsOf } from "../source/old-versions.ts";
import type { ReadRoute } from "./route.ts";

export const workers: ReadRoute = {
  path: "workers",
  async read({ source: { admin, clock } }): Promise<WorkersView> {
    const rows = await admin.workers();
    return { rows, oldVersions: oldVersionsOf(rows), nowMs: clock.now() };
  },
};
