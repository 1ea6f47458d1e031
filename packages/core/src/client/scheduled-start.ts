/** A delayed start that no process has taken yet: a row of the queue, without an instance. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { OrchestrationStatus } from "./orchestration-status.ts";

type Scheduled = Extract<OrchestrationStatus<never, never>, { status: "Scheduled" }>;

/** `undefined` where there is none whose time is to come. `nowMs` is ms since the epoch. */
export async function scheduledStart(
  admin: Pick<ProviderAdmin, "listWork">,
  instanceId: string,
  nowMs: number,
): Promise<Scheduled | undefined> {
  const { work } = await admin.listWork({ instanceId, kind: "orchestrator" });
  const startsAtMs = work.find(({ startsAtMs: atMs = 0 }) => atMs > nowMs)?.startsAtMs;
  if (startsAtMs === undefined) return undefined;
  return { status: "Scheduled", startsAtMs, executionId: 1, customStatus: undefined, customStatusVersion: 0 };
}
