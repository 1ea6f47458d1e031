/** The start of an instance in its queue. */
import { decodeWorkItem } from "@duroxide-ts/core/stores";
import { hasKind } from "../documents/work-item-kind.ts";
import type { Work } from "../memory/parts.ts";

/** Visible or not: a start may be delayed, or its client's clock may be ahead. */
const QUEUED_START = `SELECT TOP 1 c.workItem FROM c WHERE c.type = 'orch_queue' AND ${hasKind("StartOrchestration")}`;

/** Name of the orchestration that is to be started; `undefined` where no start waits. */
export async function queuedStart(work: Work, instanceId: string): Promise<string | undefined> {
  const [start] = await work.query<{ workItem: string }>(instanceId, QUEUED_START);
  if (start === undefined) return undefined;
  const item = decodeWorkItem(start.workItem);
  return item.kind === "StartOrchestration" ? item.orchestration : undefined;
}
