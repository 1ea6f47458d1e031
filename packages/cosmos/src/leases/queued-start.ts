/** Whether the start of an instance is in its queue. */
import { hasKind } from "../documents/work-item-kind.ts";
import type { Work } from "../memory/parts.ts";

/** Visible or not: a start may be delayed, or its client's clock may be ahead. */
const QUEUED_START = `SELECT TOP 1 c.id FROM c WHERE c.type = 'orch_queue' AND ${hasKind("StartOrchestration")}`;

export async function hasQueuedStart(work: Work, instanceId: string): Promise<boolean> {
  const starts = await work.query<{ id: string }>(instanceId, QUEUED_START);
  return starts.length > 0;
}
