/** The instance document as stored: also one that is being deleted, or whose decided commit is not applied yet. */
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, toInstance } from "../documents/instance.ts";
import type { Call } from "../service/service.ts";

export async function storedInstance(call: Call, instanceId: string): Promise<Instance | undefined> {
  const stored = await call.read(instanceId, instanceDocumentId(instanceId));
  return stored === undefined ? undefined : toInstance(call.operation, stored);
}
