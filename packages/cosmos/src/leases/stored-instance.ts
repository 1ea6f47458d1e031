/** The instance document as stored: also one that is being deleted, or whose decided commit is not applied yet. */
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, toInstance } from "../documents/instance.ts";
import type { Call } from "../service/service.ts";

export async function storedInstance(call: Call, instanceId: string): Promise<Instance | undefined> {
  const stored = await call.read(instanceId, instanceDocumentId(instanceId));
  return stored === undefined ? undefined : toInstance(call.operation, stored);
}

/**
 * The instance after a write of it was refused. `before` is what the write would have replaced; `undefined` if it would
 * have created the instance. A write meets the current state, so a reading that still shows `before` is that of a replica
 * that lags behind.
 */
export async function instanceAfter(
  call: Call,
  instanceId: string,
  before: Pick<Instance, "etag"> | undefined,
): Promise<Instance | undefined> {
  for (let attempt = 1; ; attempt++) {
    const instance = await storedInstance(call, instanceId);
    if (instance?.etag !== before?.etag) return instance;
    await call.again(attempt);
  }
}
