/** The end of the permit of an instance (docs/decisions/limits.md). */
import { hasEnded, levelsOf, messageOf } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
import { limitPermitDocumentId, limitsPartition, limitUseDocumentId } from "../documents/ids.ts";
import type { Notes } from "../documents/instance.ts";
import type { Work } from "../memory/parts.ts";
import { BEST_EFFORT_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import { LevelDocuments } from "./level-documents.ts";

/** Called after a commit. What fails is done by a process that looks for permits of instances that have ended. */
export async function endPermitAfter(work: Work, before: Notes, after: Body): Promise<void> {
  if (before.limitKey === undefined || !hasEnded(String(after["status"]))) return;
  await endPermitBestEffort(work, before.limitKey, String(after["instanceId"]));
}

export async function endPermitBestEffort(work: Work, key: string, instanceId: string): Promise<void> {
  try {
    await endPermit(work.within(BEST_EFFORT_MS), key, instanceId);
  } catch (error) {
    work.service.warn(`the permit of an instance that has ended is returned later: ${messageOf(error)}`, {
      instanceId,
    });
  }
  work.memory.startAsks.clear();
  work.memory.waitingForTurns.notify();
}

/** Nothing happens where it has none. */
export async function endPermit(work: Work, key: string, instanceId: string): Promise<void> {
  const permitId = limitPermitDocumentId(instanceId);
  const ids = [permitId, ...levelsOf(key).map(limitUseDocumentId)];
  for (let attempt = 1; ; attempt++) {
    const documents = await LevelDocuments.read(work, key, ids);
    const permit = documents.get(permitId);
    if (permit === undefined) return;
    const uses = levelsOf(key).map((level) => {
      const use = documents.useOf(level);
      const instances = Math.max(0, (use.instances ?? 0) - 1);
      return documents.write(level, { ...use, instances }, work.clock.now());
    });
    const end: BatchOperation = { kind: "delete", id: permitId, ifMatch: permit._etag };
    const outcome = await work.batch(limitsPartition(key), [...uses, end]);
    if (outcome.ok) return;
    await work.again(attempt);
  }
}
