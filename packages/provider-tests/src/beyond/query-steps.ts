/** Steps of the cases about queries: instances of several kinds, and lists that are read page by page. */
import {
  displayMessage,
  type ErrorDetails,
  type InstanceQuery,
  type InstanceSummary,
  type QueuedWork,
  type WorkQuery,
} from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import { eventOf } from "../messages.ts";
import { allPages } from "../pages.ts";
import { createInstance } from "../steps.ts";

/** Properties of an instance of a population. */
export interface Kind {
  readonly name?: string;
  readonly version?: string;
  readonly parentInstanceId?: string;
  readonly ends?: "Completed" | ErrorDetails;
}

export const DECLINED: ErrorDetails = {
  Application: { kind: "ActivityFailed", message: "card DECLINED\nby the bank", retryable: false },
};
export const CANCELLED: ErrorDetails = {
  Application: { kind: { Cancelled: { reason: "no longer wanted" } }, message: "", retryable: false },
};
export const NONDETERMINISTIC: ErrorDetails = {
  Configuration: { kind: "Nondeterminism", resource: "a", message: "event 2 differs" },
};

/** The first turn of an instance; some end with it. Each instance is 10 ms newer than the last. */
export async function create(context: CaseContext, instance: string, kind: Kind = {}): Promise<void> {
  const { name = "TestOrch", version = "1.0.0", parentInstanceId, ends } = kind;
  const details = ends === "Completed" ? undefined : ends;
  await createInstance(context, instance, {
    version,
    ...(parentInstanceId !== undefined && { parentInstanceId }),
    historyDelta: details === undefined ? [] : [eventOf("OrchestrationFailed", instance, 2, { details })],
    metadata: {
      orchestrationName: name,
      ...(ends === "Completed" && { status: "Completed", output: '"done"' }),
      ...(details !== undefined && { status: "Failed", output: displayMessage(details) }),
    },
  });
  await context.time.pass(10);
}

/** All pages of a list, each at most as long as its limit. */
export function allInstances(
  context: CaseContext,
  query: InstanceQuery = {},
): Promise<readonly InstanceSummary[]> {
  const { limit = 100 } = query;
  return allPages(async (from) => {
    const { instances, continuation } = await context.admin.queryInstances({ ...query, ...from });
    if (instances.length > limit) throw new Error(`a page has ${instances.length} instances`);
    return { items: instances, continuation };
  });
}

/** The ids of the list. */
export async function idsOf(context: CaseContext, query: InstanceQuery = {}): Promise<readonly string[]> {
  return (await allInstances(context, query)).map(({ instanceId }) => instanceId);
}

/** All pages of the list of queue rows. */
export function allWork(context: CaseContext, query: WorkQuery = {}): Promise<readonly QueuedWork[]> {
  const { limit = 100 } = query;
  return allPages(async (from) => {
    const { work, continuation } = await context.admin.listWork({ ...query, ...from });
    if (work.length > limit) throw new Error(`a page has ${work.length} rows`);
    return { items: work, continuation };
  });
}
