/** An instance as a query of a list returns it. */
import {
  type ExecutionStatus,
  type InstanceSummary,
  instanceFailure,
  listedStatus,
  MOST_LISTED_BYTES,
  readSuspended,
  type Suspended,
} from "@duroxide-ts/core/stores";
import { failureDetails, heldBack, runsOn } from "../../documents/instance.ts";
import { fromTagTexts } from "../../documents/tags.ts";

export interface InstanceRow {
  readonly instanceId: string;
  readonly orchestrationName: string;
  readonly orchestrationVersion: string;
  readonly currentExecutionId: number;
  readonly status: string;
  readonly output?: string | null;
  readonly parentInstanceId?: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly _ts: number;
  readonly failure?: string;
  readonly completedAt?: number;
  readonly suspended?: Suspended;
  readonly startsAt?: number;
  readonly tags?: readonly string[];
  readonly limitKey?: string;
  readonly waitsFor?: number;
  /** Whether the row meets the conditions without an index. */
  readonly ok: boolean;
}

/** The query does not return a larger output. */
export const INSTANCE_COLUMNS: string = `c.instanceId, c.orchestrationName, c.orchestrationVersion, c.currentExecutionId,
  c.status, LEFT(c.output, ${MOST_LISTED_BYTES + 1}) AS output, c.parentInstanceId, c.createdAt, c.updatedAt, c._ts,
  c.duroxideTs.failure, c.duroxideTs.completedAt, c.duroxideTs.suspended,
  c.duroxideTs.startsAt, c.duroxideTs.tags, c.duroxideTs.limitKey, c.duroxideTs.waitsFor`;

/** `nowMs` tells whether a delayed start is still to come. */
export function toSummary(row: InstanceRow, nowMs: number): InstanceSummary {
  const isRunning = runsOn(row.status, row.completedAt);
  const details = row.status === "Failed" ? failureDetails(row.failure) : undefined;
  const parent = row.parentInstanceId ?? undefined;
  const tags = fromTagTexts(row.tags);
  const { startsAt: startsAtMs } = row;
  const status = isRunning ? "Running" : (row.status as ExecutionStatus);
  const state = { status, output: row.output ?? null, failure: details, startsAtMs, ...heldBack(row) };
  return {
    instanceId: row.instanceId,
    orchestrationName: row.orchestrationName,
    orchestrationVersion: row.orchestrationVersion,
    currentExecutionId: row.currentExecutionId,
    status: listedStatus(state, nowMs),
    output: isRunning ? null : listed(row.output ?? null),
    createdAtMs: row.createdAt,
    updatedAtMs: row.updatedAt,
    ...(parent !== undefined && { parentInstanceId: parent }),
    ...(startsAtMs !== undefined && { startsAtMs }),
    ...(tags !== undefined && { tags }),
    ...heldBack(row),
    ...(details !== undefined && { failure: instanceFailure(details) }),
    ...(row.suspended !== undefined && { suspended: readSuspended(row.suspended) }),
  };
}

function listed(output: string | null): string | null {
  return output !== null && Buffer.byteLength(output) > MOST_LISTED_BYTES ? null : output;
}
