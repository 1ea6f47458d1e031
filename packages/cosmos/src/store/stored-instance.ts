/** The instance document as it stands: also one that is being deleted, or whose commit is still carried out. */
import type { Call } from "../requests/call.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { type Instance, toInstance } from "../schema/instance.ts";
import type { Store } from "./store.ts";

export async function storedInstance(
  store: Store,
  call: Call,
  instanceId: string,
): Promise<Instance | undefined> {
  const stored = await store.requests.read(call, instanceId, instanceDocumentId(instanceId));
  return stored === undefined ? undefined : toInstance(call.operation, stored);
}
