/** The instance document for those who take no lock. A commit that was decided is carried out before. */

import { type Instance, isNamed } from "../documents/instance.ts";
import type { Call } from "../service/service.ts";
import { finishCommit, isCommitting } from "./finish-commit.ts";
import { storedInstance } from "./stored-instance.ts";

/** Also one that has no name yet. */
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

/** One that exists for clients. */
export async function readNamed(call: Call, instanceId: string): Promise<Instance | undefined> {
  const instance = await readInstance(call, instanceId);
  return instance !== undefined && isNamed(instance) ? instance : undefined;
}
