/** The instance document for those who take no lock. A commit that was decided is carried out before. */
import type { Call } from "../requests/call.ts";
import { type Instance, isNamed } from "../schema/instance.ts";
import { finishCommit, isCommitting } from "../staging/finish-commit.ts";
import type { Store } from "./store.ts";
import { storedInstance } from "./stored-instance.ts";

/** Also one that has no name yet. */
export async function readInstance(
  store: Store,
  call: Call,
  instanceId: string,
): Promise<Instance | undefined> {
  for (;;) {
    const instance = await storedInstance(store, call, instanceId);
    if (instance === undefined || instance.notes.deletion !== undefined) return undefined;
    if (!isCommitting(instance)) return instance;
    const { instance: finished } = await finishCommit(store, call, instance);
    if (finished !== undefined) return finished;
  }
}

/** One that exists for clients. */
export async function readNamed(store: Store, call: Call, instanceId: string): Promise<Instance | undefined> {
  const instance = await readInstance(store, call, instanceId);
  return instance !== undefined && isNamed(instance) ? instance : undefined;
}

/** How long a read is tried again, ms. */
export const READ_PATIENCE_MS = 10_000;
