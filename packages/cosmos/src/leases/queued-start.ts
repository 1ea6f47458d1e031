/** The start of an instance in its queue. */
import { decodeStored, decodeWorkItem } from "@duroxide-ts/core/stores";
import { hasKind } from "../documents/work-item-kind.ts";
import type { Work } from "../memory/parts.ts";

/** Visible or not: a start may be delayed, or its client's clock may be ahead. */
const QUEUED_START = `FROM c WHERE c.type = 'orch_queue' AND ${hasKind("StartOrchestration")}`;

export async function hasQueuedStart(work: Work, instanceId: string): Promise<boolean> {
  const starts = await work.query(instanceId, `SELECT TOP 1 c.id ${QUEUED_START}`);
  return starts.length > 0;
}

/** Name of the orchestration that is to be started; `undefined` where no start waits. */
export async function queuedStart(work: Work, instanceId: string): Promise<string | undefined> {
  const [start] = await work.query<{ workItem: string }>(
    instanceId,
    `SELECT TOP 1 c.workItem ${QUEUED_START}`,
  );
  if (start === undefined) return undefined;
  const what = `the start of instance ${JSON.stringify(instanceId)}`;
  const item = decodeStored(work.operation, what, () => decodeWorkItem(start.workItem));
  return item.kind === "StartOrchestration" ? item.orchestration : undefined;
}
