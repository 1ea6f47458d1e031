/** Moves rows that cannot be decoded to the dead letters, where they hide no other work (hazard W20). */
import { type Body, toBody } from "../documents/body.ts";
import type { Work } from "../memory/parts.ts";
import type { Undecodable } from "./partition.ts";

export async function moveToDeadLetters(
  work: Work,
  instanceId: string,
  rows: readonly Undecodable[],
): Promise<void> {
  for (const { document, reason } of rows) {
    const letter: Body = {
      id: `dead_letter:${document.id}`,
      instanceId,
      type: "dead_letter",
      reason,
      putAsideAt: work.clock.now(),
      document: toBody(document),
    };
    const outcome = await work.batch(instanceId, [
      { kind: "delete", id: document.id, ifMatch: document._etag },
      { kind: "upsert", body: letter },
    ]);
    if (!outcome.ok) continue;
    work.service.warn(`document ${document.id} cannot be decoded and was put aside: ${reason}`, {
      instanceId,
    });
  }
}
