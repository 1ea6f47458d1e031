/** A start that no process has taken yet. */
import type { ProviderAdmin } from "./admin.ts";
import type { QueuedWork } from "./queries.ts";

/** The start of the instance that waits in the queue. */
export async function waitingStart(
  admin: Pick<ProviderAdmin, "listWork">,
  instanceId: string,
): Promise<QueuedWork | undefined> {
  const { work } = await admin.listWork({ instanceId, kind: "orchestrator" });
  return work.find(({ item }) => item === "StartOrchestration");
}
