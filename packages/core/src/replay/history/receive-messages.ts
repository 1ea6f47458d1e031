/**
 * From the batch's messages to completion events (docs/reference/runtime-semantics.md §1.3). What is stale or
 * repeated is dropped; a completion of something that was never scheduled ends the turn as nondeterministic.
 */
import { nondeterminism } from "../../errors/failure-details.ts";
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { U64 } from "../../wire/integer.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { asksToEnd } from "./deadline.ts";
import type { EventWriter } from "./event-writer.ts";
import type { HistoryIndex, ScheduleFamily } from "./history-index.ts";

export interface Received {
  /** Ends the turn as failed with these details before any code runs. */
  readonly abort: ErrorDetails | undefined;
  /** Messages that changed nothing, for the log. */
  readonly dropped: readonly DroppedMessage[];
}

export interface DroppedMessage {
  readonly message: OrchestratorItem;
  readonly reason:
    | "other execution"
    | "already answered"
    | "already cancelled"
    | "deadline of another start"
    | "not a completion";
}

export function receiveMessages(
  messages: readonly OrchestratorItem[],
  executionId: number,
  index: HistoryIndex,
  writer: EventWriter,
): Received {
  const receiver = new Receiver(executionId, index, writer);
  for (const message of messages) receiver.receive(message);
  return receiver;
}

class Receiver implements Received {
  readonly dropped: DroppedMessage[] = [];
  readonly #executionId: number;
  readonly #index: HistoryIndex;
  readonly #writer: EventWriter;
  #nondeterminism: ErrorDetails | undefined;
  #systemFailure: ErrorDetails | undefined;

  constructor(executionId: number, index: HistoryIndex, writer: EventWriter) {
    this.#executionId = executionId;
    this.#index = index;
    this.#writer = writer;
  }

  get abort(): ErrorDetails | undefined {
    return this.#nondeterminism ?? this.#systemFailure;
  }

  receive(message: OrchestratorItem): void {
    switch (message.kind) {
      case "ActivityCompleted":
        if (this.#accepts(message, message.id, message.execution_id, "activity")) {
          this.#writer.append("ActivityCompleted", { result: message.result }, message.id);
        }
        return;
      case "ActivityFailed":
        if (this.#accepts(message, message.id, message.execution_id, "activity")) {
          this.#writer.append("ActivityFailed", { details: message.details }, message.id);
          this.#noteSystemFailure(message.details);
        }
        return;
      case "TimerFired":
        if (this.#accepts(message, message.id, message.execution_id, "timer")) {
          this.#writer.append("TimerFired", { fire_at_ms: message.fire_at_ms }, message.id);
        }
        return;
      case "SubOrchCompleted":
        if (this.#accepts(message, message.parent_id, message.parent_execution_id, "sub-orchestration")) {
          this.#writer.append("SubOrchestrationCompleted", { result: message.result }, message.parent_id);
        }
        return;
      case "SubOrchFailed":
        if (this.#accepts(message, message.parent_id, message.parent_execution_id, "sub-orchestration")) {
          this.#writer.append("SubOrchestrationFailed", { details: message.details }, message.parent_id);
          this.#noteSystemFailure(message.details);
        }
        return;
      case "ExternalRaised":
        this.#writer.append("ExternalEvent", { name: message.name, data: message.data });
        return;
      case "QueueMessage":
        this.#writer.append("ExternalEventPersistent", { name: message.name, data: message.data });
        return;
      case "CancelInstance":
        this.#receiveCancel(message);
        return;
      default:
        this.#drop(message, "not a completion");
    }
  }

  #receiveCancel(message: Extract<OrchestratorItem, { kind: "CancelInstance" }>): void {
    const { reason, deadline_ms } = message;
    if (this.#index.cancelReason !== undefined) this.#drop(message, "already cancelled");
    else if (!asksToEnd(message, this.#index.started?.deadline_ms)) {
      this.#drop(message, "deadline of another start");
    } else {
      const deadline = deadline_ms === undefined ? {} : { deadline_ms };
      this.#writer.append("OrchestrationCancelRequested", { reason, ...deadline });
    }
  }

  #accepts(message: OrchestratorItem, id: U64, executionId: U64, family: AnsweredFamily): boolean {
    if (executionId !== this.#executionId) return this.#drop(message, "other execution");
    const schedule = this.#index.schedule(id);
    if (schedule?.family === family) {
      return schedule.answered ? this.#drop(message, "already answered") : true;
    }
    this.#nondeterminism ??= nondeterminism(
      schedule === undefined
        ? `no matching schedule for ${SUBJECT[family]} id=${id}`
        : `completion kind mismatch for id=${id}, expected '${schedule.type}', got '${family.replace("-", "")}'`,
    );
    return false;
  }

  /** Only application failures reach user code; the others fail the whole execution as they are. */
  #noteSystemFailure(details: ErrorDetails): void {
    if (!("Application" in details)) this.#systemFailure ??= details;
  }

  #drop(message: OrchestratorItem, reason: DroppedMessage["reason"]): false {
    this.dropped.push({ message, reason });
    return false;
  }
}

/** Schedules that a message answers by id. */
type AnsweredFamily = Extract<ScheduleFamily, "activity" | "sub-orchestration" | "timer">;

const SUBJECT: Readonly<Record<AnsweredFamily, string>> = {
  activity: "completion",
  timer: "timer",
  "sub-orchestration": "sub-orchestration",
};
