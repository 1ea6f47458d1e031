/** A row of a queue as the Rust provider writes it: without our notes. */
export function queueRow(
  type: "orch_queue" | "worker_queue",
  instanceId: string,
  changes: { readonly id: string; readonly workItem: string; readonly [field: string]: unknown },
) {
  return {
    instanceId,
    type,
    dispatchSlot: 0,
    visibleAt: 0,
    enqueuedAt: 0,
    lockToken: null,
    lockedUntil: null,
    attemptCount: 0,
    executionId: null,
    activityId: null,
    sessionId: null,
    ...changes,
  };
}

/** A row that no process can decode, older than all others. */
export function undecodableRow(type: "orch_queue" | "worker_queue", instanceId: string) {
  return queueRow(type, instanceId, { id: `undecodable-${type}`, workItem: '{"Unheard":{}}' });
}
