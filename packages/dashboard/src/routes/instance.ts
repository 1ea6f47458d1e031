/** `GET /api/instance`: the head of one instance, which the page reads again and again. It reads no history. */
import { type OrchestrationStatus, ProviderError } from "@duroxide-ts/core";
import type { InstanceSummary } from "@duroxide-ts/core/stores";
import type { InstanceHead, ShownBlock } from "../page/shapes/instance.ts";
import type { ShownPayload } from "../page/shapes/payload.ts";
import { showFailure } from "../payloads/failures.ts";
import { rowOf } from "../source/instance-rows.ts";
import type { Source } from "../source/source.ts";
import { notBegun } from "../source/waiting-starts.ts";
import { parameter, type ReadRoute } from "./route.ts";

export const instance: ReadRoute = {
  path: "instance",
  async read(call): Promise<InstanceHead> {
    const { source } = call;
    const { admin, payloads, clock } = source;
    const instanceId = parameter(call, "id");
    const summary: InstanceSummary = await admin.info(instanceId).catch(async (error: unknown) => {
      throw await notBegun(source, instanceId, error);
    });
    const [executions, execution, status] = await Promise.all([
      admin.executions(instanceId),
      admin.execution(instanceId, summary.currentExecutionId),
      statusOf(source, instanceId),
    ]);
    const blocked = blocksOf(status);
    const [first] = blocked;
    const row = rowOf(summary);
    const failure =
      status !== undefined && "details" in status ? showFailure(status.details, payloads) : undefined;
    // Only the list of a store knows that a clean-up has failed.
    const known = failure?.category === "clean-up-failed" ? failure.category : row.state;
    const isRunning = known === "running" || known === "scheduled";
    const state = isRunning && first !== undefined ? "blocked" : known;
    return {
      ...row,
      state,
      ...(state === "blocked" && first !== undefined && { note: first.detail }),
      executions,
      blocked,
      ...(summary.suspended !== undefined && { suspended: summary.suspended }),
      ...(failure !== undefined && { failure }),
      ...customStatus(status, source),
      eventCount: execution.eventCount,
      nowMs: clock.now(),
    };
  },
};

/** `undefined` where the codec cannot decode what the instance stored. */
async function statusOf({ client }: Source, instanceId: string): Promise<OrchestrationStatus | undefined> {
  try {
    return await client.handle("unknown", instanceId).status();
  } catch (error) {
    if (ProviderError.is(error)) throw error;
    return undefined;
  }
}

function customStatus(
  status: OrchestrationStatus | undefined,
  { payloads }: Source,
): { readonly customStatus?: ShownPayload } {
  if (status === undefined || status.status === "NotFound" || status.customStatus === undefined) return {};
  return { customStatus: payloads.showValue(status.customStatus) };
}

function blocksOf(status: OrchestrationStatus | undefined): ShownBlock[] {
  const found = status !== undefined && "blocked" in status ? (status.blocked ?? []) : [];
  return found.map(({ reason, detail, activity, sinceMs, nextTryAtMs, attempts }) => ({
    reason,
    detail,
    ...(activity !== undefined && { activity: `${activity.name}#${activity.activityId}` }),
    sinceMs,
    nextTryAtMs,
    attempts,
  }));
}
