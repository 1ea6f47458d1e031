/** A row of instance "a" that nobody can make sense of, older than all others. */
export function undecodable(type: "orch_queue" | "worker_queue"): Record<string, unknown> {
  return {
    id: `undecodable-${type}`,
    instanceId: "a",
    type,
    workItem: '{"Unheard":{}}',
    dispatchSlot: 0,
    visibleAt: 0,
    enqueuedAt: 0,
    lockToken: null,
    lockedUntil: null,
    attemptCount: 0,
    executionId: null,
    activityId: null,
    sessionId: null,
  };
}
