/** Moves rows that cannot be decoded to the dead letters, where they hide no other work (hazard W20). */
import { type Body, toBody } from "../documents/body.ts";
import type { Call } from "../service/service.ts";
import type { Undecodable } from "./partition.ts";

export async function moveToDeadLetters(
  call: Call,
  instanceId: string,
  rows: readonly Undecodable[],
): Promise<void> {
  for (const { document, reason } of rows) {
    const letter: Body = {
      id: `dead_letter:${document.id}`,
      instanceId,
      type: "dead_letter",
      reason,
      putAsideAt: call.service.clock.now(),
      document: toBody(document),
    };
    const outcome = await call.batch(instanceId, [
      { kind: "delete", id: document.id, ifMatch: document._etag },
      { kind: "upsert", body: letter },
    ]);
    if (!outcome.ok) continue;
    call.service.warn(`document ${document.id} cannot be decoded and was put aside: ${reason}`, {
      instanceId,
    });
  }
}
