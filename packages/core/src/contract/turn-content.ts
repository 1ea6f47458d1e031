/** The changes that the commit of a turn makes (docs/reference/provider-contract.md §7). */
import type { HistoryEvent } from "../wire/event.ts";
import type { Tags } from "../wire/tags.ts";
import type { Semver } from "../wire/version.ts";
import type { ActivityExecute, OrchestratorItem, WorkItemOf } from "../wire/work-item.ts";
import type { StreamChange } from "./streams.ts";

/** A stored value, and the time at which it was set, ms since the epoch. */
export interface KvEntry {
  readonly value: string;
  readonly lastUpdatedAtMs: number;
}

/** The data that a turn commits. */
export interface TurnContent {
  /** The execution that `historyDelta` belongs to; one more than the fetched one after a continue-as-new. */
  readonly executionId: number;
  readonly historyDelta: readonly HistoryEvent[];
  readonly workerItems: readonly ActivityExecute[];
  /** Messages for any instance, in order. A timer and a deadline become visible when they are due, the rest at once. */
  readonly orchestratorItems: readonly OrchestratorItem[];
  /**
   * Unread queue messages of an execution that continues as new, beyond those in the start of the next execution. They
   * are returned to the head of the instance's queue: in this order, before all its rows, and visible at once (§7.1).
   */
  readonly returnedMessages?: readonly WorkItemOf<"QueueMessage">[];
  readonly metadata: ExecutionMetadata;
  /** Removed from the worker queue after `workerItems` were added, locked or not; unknown ones are ignored. */
  readonly cancelledActivities: readonly ActivityId[];
  /**
   * Timers, and the deadline, that the instance does not wait for any more, without those of `orchestratorItems`. Their
   * messages are removed from its queue, visible or not; unknown ones are ignored (§7.2). Absent: none.
   */
  readonly droppedTimers?: readonly TimerId[];
  /** The values that the code adds to streams, one entry for each; those for a closed one are left out (§13.1). Absent: nothing. */
  readonly streams?: readonly StreamChange[];
}

/** Changes of the stored metadata; the store keeps the value of an absent field. */
export interface ExecutionMetadata {
  readonly status?: "Completed" | "Failed" | "ContinuedAsNew";
  /** Stored with `status`: result, display message of the failure, or the next execution's input. */
  readonly output?: string | null;
  /** An ack with both name and version creates the instance. */
  readonly orchestrationName?: string;
  readonly orchestrationVersion?: string;
  /** Immutable once the instance exists. */
  readonly parentInstanceId?: string;
  /** Pins the acked execution; sent with its OrchestrationStarted only. */
  readonly pinnedVersion?: Semver;
  /** All tags of the instance from now on, in place of those before; an empty object removes all. */
  readonly tags?: Tags;
}

/** Names one activity of one execution. */
export interface ActivityId {
  readonly instanceId: string;
  readonly executionId: number;
  /** `event_id` of its ActivityScheduled. */
  readonly activityId: number;
}

/** Names a message of an instance to itself that waits in its queue: the firing of a timer, or the deadline. */
export type TimerId =
  | {
      readonly executionId: number;
      /** `event_id` of its TimerCreated. */
      readonly timerId: number;
      /** Ms since the epoch. */
      readonly fireAtMs: number;
    }
  /** `deadline_ms` of its start, ms since the epoch. */
  | { readonly deadlineMs: number };
