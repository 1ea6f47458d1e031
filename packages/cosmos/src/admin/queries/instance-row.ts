/** An instance as a query of a list returns it. */
import {
  decodeErrorDetails,
  type ExecutionStatus,
  type InstanceFailure,
  type InstanceSummary,
  instanceFailure,
  MOST_LISTED_BYTES,
  readSuspended,
  type Suspended,
} from "@duroxide-ts/core/stores";
import { runsOn } from "../../documents/instance.ts";
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
  readonly tags?: readonly string[];
  /** Whether the row meets the conditions without an index. */
  readonly ok: boolean;
}

/** The query does not return a larger output. */
export const INSTANCE_COLUMNS: string = `c.instanceId, c.orchestrationName, c.orchestrationVersion, c.currentExecutionId,
  c.status, LEFT(c.output, ${MOST_LISTED_BYTES + 1}) AS output, c.parentInstanceId, c.createdAt, c.updatedAt, c._ts,
  c.duroxideTs.failure, c.duroxideTs.completedAt, c.duroxideTs.suspended,
  c.duroxideTs.tags`;

export function toSummary(row: InstanceRow): InstanceSummary {
  const isRunning = runsOn(row.status, row.completedAt);
  const failure = row.status === "Failed" ? instanceFailureOf(row.failure) : undefined;
  const parent = row.parentInstanceId ?? undefined;
  const tags = fromTagTexts(row.tags);
  return {
    instanceId: row.instanceId,
    orchestrationName: row.orchestrationName,
    orchestrationVersion: row.orchestrationVersion,
    currentExecutionId: row.currentExecutionId,
    status: isRunning ? "Running" : (row.status as ExecutionStatus),
    output: isRunning ? null : listed(row.output ?? null),
    createdAtMs: row.createdAt,
    updatedAtMs: row.updatedAt,
    ...(parent !== undefined && { parentInstanceId: parent }),
    ...(tags !== undefined && { tags }),
    ...(failure !== undefined && { failure }),
    ...(row.suspended !== undefined && { suspended: readSuspended(row.suspended) }),
  };
}

function listed(output: string | null): string | null {
  return output !== null && Buffer.byteLength(output) > MOST_LISTED_BYTES ? null : output;
}

/** The output contains the message of the failure too, so details that cannot be decoded do not hide the instance. */
function instanceFailureOf(text: string | undefined): InstanceFailure | undefined {
  if (text === undefined) return undefined;
  try {
    return instanceFailure(decodeErrorDetails(text));
  } catch {
    return undefined;
  }
}
