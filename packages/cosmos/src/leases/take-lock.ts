/** Locks an instance: one conditional write of its document. The ETag of the answer is the lock. */
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import type { StoredTurn } from "../memory/held.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import { hold, type LockRequest, type NewLock, newLock } from "./new-lock.ts";
import { withUncounted } from "./remembered-turn.ts";
import { storedInstance } from "./stored-instance.ts";

/** `undefined` if another write came first, or the document in memory was not current. */
export async function takeLock(work: Work, request: LockRequest): Promise<StoredTurn | undefined> {
  const lock = newLock(work, withUncounted(work, request));
  const { instanceId, body } = lock;
  const outcome = await work.batch(instanceId, [lockOperation(lock, request.instance)]);
  const instance = outcome.ok
    ? writtenInstance(work.operation, instanceDocumentId(instanceId), body, outcome.etags[0])
    : outcome.repeated
      ? await ownLock(work, lock)
      : undefined;
  return instance === undefined ? undefined : hold(work, lock, instance, { kind: "stored" });
}

export function lockOperation({ instanceId, body }: NewLock, instance: Instance | undefined): BatchOperation {
  if (instance === undefined) return { kind: "create", body };
  return { kind: "replace", id: instanceDocumentId(instanceId), body, ifMatch: instance.etag };
}

/** After a lost answer: the document, if it contains this lock. */
export async function ownLock(work: Work, lock: NewLock): Promise<Instance | undefined> {
  return lockedBy(await storedInstance(work, lock.instanceId), lock);
}

function lockedBy(instance: Instance | undefined, { secret }: NewLock): Instance | undefined {
  return instance?.document.lockToken === secret ? instance : undefined;
}
