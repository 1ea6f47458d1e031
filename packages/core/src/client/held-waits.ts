/** Waits of a timeline that a limit holds back: history knows the key of a call, and the queue whether it waits for it. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { ActivityStep, InstanceTimeline, Step, SystemStep } from "../timeline/timeline.ts";

/** Rows of one instance that are read. */
const MOST_ROWS = 1_000;

/** Asks the store only if a step that is open has a limit. */
export async function withHeldWaits(
  admin: ProviderAdmin,
  timeline: InstanceTimeline,
): Promise<InstanceTimeline> {
  const open = new Map(timeline.steps.filter(mayBeHeld).map((step) => [rowOf(step), step.id]));
  if (open.size === 0 || timeline.waits.length === 0) return timeline;
  const { instanceId } = timeline;
  const { work } = await admin.listWork({ kind: "worker", instanceId, limit: MOST_ROWS });
  const held = new Map(work.map(({ eventId, limit, reason }) => [open.get(eventId), { limit, reason }]));
  return {
    ...timeline,
    waits: timeline.waits.map((wait) => {
      const { limit, reason } = held.get(wait.stepId) ?? {};
      return limit === undefined || reason === undefined ? wait : { ...wait, limit, reason };
    }),
  };
}

function mayBeHeld(step: Step): step is ActivityStep | SystemStep {
  return "limit" in step && step.limit !== undefined && step.outcome === "open";
}

/** The event id of the row that may wait. */
function rowOf(step: ActivityStep | SystemStep): number | undefined {
  return step.kind === "activity" ? step.attempts.at(-1)?.id : step.id;
}
