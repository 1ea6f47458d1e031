/** An instance that exists, and has no history yet. */
import type { InstanceInfo } from "../contract/instance-info.ts";
import type { InstanceTimeline } from "../timeline/timeline.ts";

/** The timeline of an instance whose first turn has not run. */
export function notStarted(info: InstanceInfo): InstanceTimeline {
  const { instanceId, orchestrationName, orchestrationVersion, status, createdAtMs } = info;
  return {
    instanceId,
    executionId: info.currentExecutionId,
    orchestrationName,
    orchestrationVersion,
    ...(info.parentInstanceId !== undefined && { parentInstanceId: info.parentInstanceId }),
    status,
    startedAtMs: createdAtMs,
    lastEventAtMs: createdAtMs,
    eventCount: 0,
    steps: [],
    waits: [],
    unread: [],
    setAside: [],
  };
}
