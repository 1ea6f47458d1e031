/** Reads the instance document without a lock, after it has applied a commit that was decided. */
import { type Instance, isNamed } from "../documents/instance.ts";
import type { Work } from "../memory/parts.ts";
import { finishCommit, isCommitting } from "./finish-commit.ts";
import { storedInstance } from "./stored-instance.ts";

/** Also a document without a name. */
export async function readInstance(work: Work, instanceId: string): Promise<Instance | undefined> {
  for (let attempt = 1; ; attempt++) {
    const instance = await storedInstance(work, instanceId);
    if (instance === undefined || instance.notes.deletion !== undefined) return undefined;
    if (!isCommitting(instance)) return instance;
    const { instance: finished } = await finishCommit(work, instance);
    if (finished !== undefined) return finished;
    await work.again(attempt);
  }
}

/** An instance that clients see. */
export async function readNamed(work: Work, instanceId: string): Promise<Instance | undefined> {
  const instance = await readInstance(work, instanceId);
  return instance !== undefined && isNamed(instance) ? instance : undefined;
}
