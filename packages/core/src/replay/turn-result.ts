/** The result of a turn, and what is left of an execution between two turns. */
import type { ActivityId, TimerId } from "../contract/provider.ts";
import type { StreamChange } from "../contract/streams.ts";
import type { ErrorDetails } from "../wire/error-details.ts";
import type { HistoryEvent } from "../wire/event.ts";
import type { Tags } from "../wire/tags.ts";
import type { ActivityExecute, OrchestratorItem, WorkItemOf } from "../wire/work-item.ts";
import type { SetAsideMessage } from "./code/deliveries.ts";
import type { LiveExecution } from "./code/live-execution.ts";
import type { ParentNotice } from "./history/end-execution.ts";
import type { HistoryIndex } from "./history/history-index.ts";
import type { DiscardedMessage } from "./history/receive-messages.ts";

/** An execution between two turns: its history index, and its code. */
export interface ExecutionMemory {
  readonly index: HistoryIndex;
  readonly live: LiveExecution;
}

export interface TurnResult {
  readonly delta: readonly HistoryEvent[];
  readonly workerItems: readonly ActivityExecute[];
  readonly orchestratorItems: readonly OrchestratorItem[];
  readonly cancelledActivities: readonly ActivityId[];
  readonly droppedTimers: readonly TimerId[];
  /** Unread messages that the next start does not have; they are returned to the head of the queue. */
  readonly returnedMessages: readonly WorkItemOf<"QueueMessage">[];
  /** All tags of the instance, where the commit stores them. */
  readonly tags?: Tags | undefined;
  /** The values that the code has written to streams. */
  readonly streams?: readonly StreamChange[] | undefined;
  readonly end: TurnEnd;
  /** Messages that changed nothing, for the log. */
  readonly discarded: readonly DiscardedMessage[];
  /** Messages that were set aside, for the log. */
  readonly setAside: readonly SetAsideMessage[];
  /** Names of the events that arrived without a wait, for the log. */
  readonly lostEvents: readonly string[];
}

export type TurnEnd =
  | { readonly kind: "running"; readonly memory: ExecutionMemory }
  | { readonly kind: "completed"; readonly output: string; readonly parent: ParentNotice | undefined }
  | {
      readonly kind: "failed";
      readonly details: ErrorDetails;
      readonly parent: ParentNotice | undefined;
      /** The error that the code threw in this process, for the log. */
      readonly thrown?: unknown;
    }
  /** `memory`: what the next execution needs to know of this one. */
  | { readonly kind: "continued-as-new"; readonly input: string; readonly memory: ExecutionMemory }
  /** The code does not match the history, or has a mistake. Nothing is committed: other code may be deployed later. */
  | {
      readonly kind: "blocked";
      readonly reason: "nondeterminism" | "defect";
      readonly detail: string;
      /** The error that the code threw, for the log. */
      readonly thrown?: unknown;
    };
