/** The instance document as stored: also one that is being deleted, or whose decided commit is not applied yet. */
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, toInstance } from "../documents/instance.ts";
import type { Work } from "../memory/parts.ts";

export async function storedInstance(work: Work, instanceId: string): Promise<Instance | undefined> {
  const stored = await work.read(instanceId, instanceDocumentId(instanceId));
  return stored === undefined ? undefined : toInstance(work.operation, stored);
}
