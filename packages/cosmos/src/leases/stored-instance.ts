/** The instance document as stored: also one that is being deleted, or whose decided commit is not applied yet. */
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, toInstance } from "../documents/instance.ts";
import type { Call } from "../service/service.ts";

export async function storedInstance(call: Call, instanceId: string): Promise<Instance | undefined> {
  const stored = await call.read(instanceId, instanceDocumentId(instanceId));
  return stored === undefined ? undefined : toInstance(call.operation, stored);
}

/**
 * The instance after a write under this ETag was refused; without an ETag it was to be created. A write meets the current
 * state, so a reading that still shows the ETag is that of a replica that lags behind.
 */
export async function instanceAfter(
  call: Call,
  instanceId: string,
  refusedEtag: string,
): Promise<Instance | undefined> {
  for (let attempt = 1; ; attempt++) {
    const instance = await storedInstance(call, instanceId);
    if ((instance?.etag ?? "") !== refusedEtag) return instance;
    await call.again(attempt);
  }
}
