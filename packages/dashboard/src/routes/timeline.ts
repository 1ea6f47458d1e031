/** `GET /api/timeline`: the bars of one execution. */
import type { TimelineView } from "../page/shapes/instance.ts";
import { barsOf } from "../source/bars.ts";
import { parameter, positiveNumber, type ReadRoute } from "./route.ts";

export const timeline: ReadRoute = {
  path: "timeline",
  async read(call): Promise<TimelineView> {
    const { admin, payloads, clock } = call.source;
    const found = await admin.timeline(parameter(call, "id"), positiveNumber(call, "execution"));
    return {
      executionId: found.executionId,
      startMs: found.startedAtMs,
      ...(found.endedAtMs !== undefined && { endMs: found.endedAtMs }),
      bars: barsOf(found, payloads),
      eventCount: found.eventCount,
      nowMs: clock.now(),
    };
  },
};
