/**
 * Reads a document whose absence decides something. A replica that lags behind may not show a document, but a write meets
 * the current state: if it is refused, the document is absent.
 */
import type { Stored } from "../documents/body.ts";
import type { Call } from "../service/service.ts";

export async function readCertainly(call: Call, instanceId: string, id: string): Promise<Stored | undefined> {
  for (let attempt = 1; ; attempt++) {
    const stored = await call.read(instanceId, id);
    if (stored !== undefined) return stored;
    const outcome = await call.batch(instanceId, [{ kind: "set", id, values: { isWanted: true } }]);
    if (!outcome.ok) return undefined;
    await call.again(attempt);
  }
}
