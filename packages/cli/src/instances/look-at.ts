/** Reads the timelines of several instances, a few at a time. */
import type { InstanceTimeline } from "@duroxide-ts/core";
import type { OpenStore } from "../store/open-store.ts";
import type { FoundInstance } from "./find-instances.ts";

const AT_A_TIME = 8;

/** An instance, with its timeline if it runs. */
export async function lookAtRunning(
  { client }: OpenStore,
  found: readonly FoundInstance[],
): Promise<readonly FoundInstance[]> {
  const looked: FoundInstance[] = [...found];
  const todo = [...found.entries()].filter(
    ([, { summary, timeline }]) => summary.status === "Running" && timeline === undefined,
  );
  const next = async (): Promise<void> => {
    for (let entry = todo.shift(); entry !== undefined; entry = todo.shift()) {
      const [at, { summary }] = entry;
      looked[at] = { summary, timeline: await timelineOf(summary.instanceId) };
    }
  };
  // An instance may be deleted while it is listed.
  const timelineOf = (id: string): Promise<InstanceTimeline | undefined> =>
    client.admin.timeline(id).catch(() => undefined);
  await Promise.all(Array.from({ length: AT_A_TIME }, next));
  return looked;
}
