/** Reads the instance document without a lock, after it has applied a commit that was decided. */
import { type Instance, isNamed } from "../documents/instance.ts";
import type { Call } from "../service/service.ts";
import { finishCommit, isCommitting } from "./finish-commit.ts";
import { storedInstance } from "./stored-instance.ts";

/** Also a document without a name. */
export async function readInstance(call: Call, instanceId: string): Promise<Instance | undefined> {
  for (let attempt = 1; ; attempt++) {
    const instance = await storedInstance(call, instanceId);
    if (instance === undefined || instance.notes.deletion !== undefined) return undefined;
    if (!isCommitting(instance)) return instance;
    const { instance: finished } = await finishCommit(call, instance);
    if (finished !== undefined) return finished;
    await call.again(attempt);
  }
}

/** An instance that clients see. */
export async function readNamed(call: Call, instanceId: string): Promise<Instance | undefined> {
  const instance = await readInstance(call, instanceId);
  return instance !== undefined && isNamed(instance) ? instance : undefined;
}
