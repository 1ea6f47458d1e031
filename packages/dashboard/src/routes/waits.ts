/** `GET /api/waits?id=…&id=…`: what some instances of a list wait for. */
import { Refused } from "@duroxide-ts/core/web";
import { MOST_WAITS, type WaitsView } from "../page/shapes/instances.ts";
import { rowWaits } from "../source/row-waits.ts";
import type { ReadRoute } from "./route.ts";

export const waits: ReadRoute = {
  path: "waits",
  isLong: true,
  async read({ source, query }): Promise<WaitsView> {
    const ids = [...new Set(query.getAll("id"))].filter((id) => id !== "");
    if (ids.length === 0 || ids.length > MOST_WAITS) {
      throw new Refused(400, "invalid-input", `give 1 to ${MOST_WAITS} parameters "id"`);
    }
    return { rows: await rowWaits(source, ids), nowMs: source.clock.now() };
  },
};
