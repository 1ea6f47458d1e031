/**
 * The status of an instance in lists, which is that of `handle.status()`. Stores keep the status of the execution, as Rust
 * writes it (`ExecutionStatus`), and tell the two others apart by what they have beside it.
 */
import { CANCELLED_PREFIX, cancellationOf, type ErrorDetails } from "../wire/error-details.ts";
import type { ExecutionStatus } from "./status.ts";

/**
 * `Scheduled`: stored as `Running`, and its code does not begin before `startsAtMs`. `Waiting`: stored as `Running`, and
 * its code does not begin before its limit lets it. `Cancelled`: stored as `Failed`,
 * because of a cancellation; also where its clean-up has failed.
 */
export type ListedStatus = ExecutionStatus | "Scheduled" | "Waiting" | "Cancelled";

/** A record, so that a status that is added to the type and not here does not compile. */
const STORED: Readonly<Record<ListedStatus, ExecutionStatus>> = {
  Scheduled: "Running",
  Waiting: "Running",
  Running: "Running",
  Completed: "Completed",
  Failed: "Failed",
  Cancelled: "Failed",
  ContinuedAsNew: "ContinuedAsNew",
};

/** The names of all, for checks of values from outside. */
export const LISTED_STATUSES: readonly string[] = Object.keys(STORED);

/** The status as a store keeps it. */
export function storedStatus(status: ListedStatus): ExecutionStatus {
  return STORED[status];
}

/** The part of an instance and its current execution that decides its status in lists, as a store has it. */
export interface StoredState {
  readonly status: ExecutionStatus;
  readonly output: string | null;
  /** Details of the failure, where the store has them. */
  readonly failure?: ErrorDetails | undefined;
  readonly startsAtMs?: number | undefined;
  /** Key of the limit that holds its code back. */
  readonly limit?: string | undefined;
}

/** The status in a list at this time, ms since the epoch. */
export function listedStatus(state: StoredState, nowMs: number): ListedStatus {
  const { status, startsAtMs, limit } = state;
  if (status === "Running" && startsAtMs !== undefined && startsAtMs > nowMs) return "Scheduled";
  if (status === "Running" && limit !== undefined) return "Waiting";
  return status === "Failed" && cancelReason(state) !== undefined ? "Cancelled" : status;
}

/** The reason of a failed instance that was cancelled. Without details (Rust stores none) the output has it. */
export function cancelReason({
  failure,
  output,
}: Pick<StoredState, "failure" | "output">): string | undefined {
  if (failure !== undefined) return cancellationOf(failure);
  return output?.startsWith(CANCELLED_PREFIX) === true ? output.slice(CANCELLED_PREFIX.length) : undefined;
}

/** Conditions on stored values that a filter by listed statuses stands for. */
export interface AskedStatuses {
  /** The stored statuses, each once. */
  readonly stored: readonly ExecutionStatus[];
  /** Whether, of those that are stored as `Running`, only the scheduled ones match, or only the others. Absent: all. */
  readonly scheduled?: boolean;
  /** Whether, of those that are stored as `Running` and not scheduled, only the waiting ones match, or only the others. */
  readonly waiting?: boolean;
  /** Whether, of those that are stored as `Failed`, only the cancelled ones match, or only the others. Absent: all. */
  readonly cancelled?: boolean;
}

/** Takes a filter apart into conditions on stored values. */
export function askedStatuses(statuses: readonly ListedStatus[]): AskedStatuses {
  const asked = new Set(statuses);
  return {
    stored: [...new Set(statuses.map(storedStatus))],
    ...(asked.has("Scheduled") !== (asked.has("Running") || asked.has("Waiting")) && {
      scheduled: asked.has("Scheduled"),
    }),
    ...(asked.has("Waiting") !== asked.has("Running") && { waiting: asked.has("Waiting") }),
    ...(asked.has("Cancelled") !== asked.has("Failed") && { cancelled: asked.has("Cancelled") }),
  };
}
