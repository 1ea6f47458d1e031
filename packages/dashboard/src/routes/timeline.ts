/** `GET /api/timeline`: the bars of one execution. */
import type { InstanceTimeline } from "@duroxide-ts/core";
import { runningState } from "@duroxide-ts/core/operate";
import type { TimelineView, Unread } from "../page/shapes/instance.ts";
import { barsOf } from "../source/bars.ts";
import { parameter, positiveNumber, type ReadRoute } from "./route.ts";

export const timeline: ReadRoute = {
  path: "timeline",
  isLong: true,
  async read(call): Promise<TimelineView> {
    const { admin, clock } = call.source;
    const found = await admin.timeline(parameter(call, "id"), positiveNumber(call, "execution"));
    const { begunByHand, cancelRequested } = found;
    const ended = endOf(found);
    return {
      instanceId: found.instanceId,
      executionId: found.executionId,
      startMs: found.startedAtMs,
      ...(found.endedAtMs !== undefined && { endMs: found.endedAtMs }),
      ...(ended === undefined ? { running: runningState(found) } : { ended }),
      bars: barsOf(found),
      unread: found.unread.map(withoutData),
      setAside: found.setAside.filter(({ replacedBy }) => replacedBy === undefined).map(withoutData),
      ...(begunByHand !== undefined && { begunByHand }),
      ...(cancelRequested !== undefined && { cancelRequested }),
      eventCount: found.eventCount,
      nowMs: clock.now(),
    };
  },
};

function withoutData({ kind, id, name, atMs }: InstanceTimeline["unread"][number]): Unread {
  return { kind, id, name, atMs };
}

function endOf({ status }: InstanceTimeline): TimelineView["ended"] {
  switch (status) {
    case "Completed":
      return "completed";
    case "ContinuedAsNew":
      return "continued";
    case "Failed":
      return "failed";
    case "Cancelled":
      return "cancelled";
    default:
      return undefined;
  }
}
