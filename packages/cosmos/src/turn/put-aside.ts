/** Rows that cannot be decoded are kept where an operator finds them, and are in nobody's way (hazard W20). */
import type { Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { toBody } from "../schema/body.ts";
import type { Store } from "../store/store.ts";
import type { Undecodable } from "./partition.ts";

export async function putAside(
  store: Store,
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
      putAsideAt: store.clock.now(),
      document: toBody(document),
    };
    const outcome = await store.requests.batch(call, instanceId, [
      { kind: "delete", id: document.id, ifMatch: document._etag },
      { kind: "upsert", body: letter },
    ]);
    if (!outcome.ok) continue;
    store.settings.onWarning(`document ${document.id} cannot be decoded and was put aside: ${reason}`, {
      instanceId,
    });
  }
}
