/** Reads the timelines of several instances, a few at a time. */
import type { OpenStore } from "../store/open-store.ts";
import { type FoundInstance, lookAt } from "./find-instances.ts";

const AT_A_TIME = 8;

/** An instance, with its timeline if it runs. */
export async function lookAtRunning(
  store: OpenStore,
  found: readonly FoundInstance[],
): Promise<readonly FoundInstance[]> {
  const looked: FoundInstance[] = [...found];
  const todo = [...found.entries()].filter(([, { timeline }]) => timeline === undefined);
  const next = async (): Promise<void> => {
    for (let entry = todo.shift(); entry !== undefined; entry = todo.shift()) {
      const [at, { summary }] = entry;
      looked[at] = { summary, timeline: await lookAt(store, summary) };
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, next));
  return looked;
}
