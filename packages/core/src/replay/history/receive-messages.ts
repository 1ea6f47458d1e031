/**
 * Converts the batch's messages to events (docs/reference/runtime-semantics.md §1.3). Messages are delivered at least
 * once, so a stale or repeated message is discarded. A completion of a call that was never scheduled ends the turn as
 * nondeterministic.
 *
 * - receive-messages.V1: Events are written in the order of the messages, each added to the index before the next
 *   message is judged. So a completion that comes twice in one batch is discarded the second time.
 * - receive-messages.V2: Whether a message has an effect is decided by history alone, never by the code: the code may
 *   not be in memory.
 * - receive-messages.V3: An arrival has no source and is always written, also without a call that waits. Which call it
 *   answers, the mailboxes decide (code/arrivals.ts).
 */
import { nondeterminism } from "../../errors/failure-details.ts";
import { invariant } from "../../errors/invariant.ts";
import { type ErrorDetails, reachesCode } from "../../wire/error-details.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { isQuestion } from "../../wire/question.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import type { CallKind, Source } from "../calls/kind.ts";
import { type AnswerRole, roleOfMessage } from "../calls/table.ts";
import { asksToEnd, endsCleanUp } from "./cancellation.ts";
import type { EventWriter } from "./event-writer.ts";
import type { HistoryIndex } from "./history-index.ts";

export interface Received {
  /** Ends the turn as failed with these details before any code runs. */
  readonly abort: ErrorDetails | undefined;
  /** Messages without effect, for the log. */
  readonly discarded: readonly DiscardedMessage[];
}

export interface DiscardedMessage {
  readonly message: OrchestratorItem;
  readonly reason:
    | "other execution"
    | "already answered"
    | "already cancelled"
    | "of another start or an earlier execution of the parent"
    | "not a completion";
}

export function receiveMessages(
  messages: readonly OrchestratorItem[],
  executionId: number,
  index: HistoryIndex,
  writer: EventWriter,
): Received {
  const receiver = new Receiver(executionId, index, writer);
  for (const message of messages) if (!isQuestion(message)) receiver.receive(message);
  return receiver;
}

/** The events of the questions, which come behind what the code does because of all other messages (turn.T6). */
export function receiveQuestions(
  messages: readonly OrchestratorItem[],
  writer: EventWriter,
): readonly HistoryEvent[] {
  return messages
    .filter(isQuestion)
    .map(({ name, data }) => writer.append("ExternalEventPersistent", { name, data }) as HistoryEvent);
}

class Receiver implements Received {
  readonly discarded: DiscardedMessage[] = [];
  readonly #executionId: number;
  readonly #index: HistoryIndex;
  readonly #writer: EventWriter;
  /** Whether an earlier turn was cancelled, and the code cleans up. */
  readonly #cleansUp: boolean;
  #nondeterminism: ErrorDetails | undefined;
  #systemFailure: ErrorDetails | undefined;

  constructor(executionId: number, index: HistoryIndex, writer: EventWriter) {
    this.#executionId = executionId;
    this.#index = index;
    this.#cleansUp = index.cleansUp && index.cancelReason !== undefined;
    this.#writer = writer;
  }

  get abort(): ErrorDetails | undefined {
    return this.#nondeterminism ?? this.#systemFailure;
  }

  receive(message: OrchestratorItem): void {
    const role = roleOfMessage(message.kind);
    if (role !== undefined) this.#receiveAnswer(message, role);
    else if (message.kind === "CancelInstance") this.#receiveCancel(message);
    else this.#discard(message, "not a completion");
  }

  #receiveAnswer(message: OrchestratorItem, { kind, answer }: AnswerRole): void {
    const source = answer.source(message);
    if (source !== undefined && !this.#accepts(message, source, kind)) return;
    this.#writer.receive(answer.event, answer.payload(message), source?.id);
    invariant(
      source === undefined || this.#index.schedule(source.id)?.answered === true,
      "receive-messages.V1",
    );
    if ("details" in message) this.#noteSystemFailure(message.details);
  }

  #receiveCancel(message: Extract<OrchestratorItem, { kind: "CancelInstance" }>): void {
    const { reason, deadline_ms } = message;
    if (this.#index.cancelReason !== undefined && !this.#endsCleanUp(message))
      this.#discard(message, "already cancelled");
    else if (!asksToEnd(message, this.#index.started)) {
      this.#discard(message, "of another start or an earlier execution of the parent");
    } else {
      const deadline = deadline_ms === undefined ? {} : { deadline_ms };
      this.#writer.receive("OrchestrationCancelRequested", { reason, ...deadline });
    }
  }

  /** Not one that was received together with the first. */
  #endsCleanUp(message: OrchestratorItem): boolean {
    const { cancelReason = "", cancelledAgain } = this.#index;
    return this.#cleansUp && !cancelledAgain && endsCleanUp(message, cancelReason);
  }

  #accepts(message: OrchestratorItem, { id, executionId }: Source, kind: CallKind): boolean {
    if (executionId !== this.#executionId) {
      this.#discard(message, "other execution");
      return false;
    }
    const schedule = this.#index.schedule(id);
    if (schedule?.kind === kind) {
      if (schedule.answered) this.#discard(message, "already answered");
      return !schedule.answered;
    }
    this.#nondeterminism ??= nondeterminism(
      schedule === undefined
        ? `no matching schedule for ${kind.completion} id=${id}`
        : `completion kind mismatch for id=${id}, expected '${schedule.kind.schedules}', got '${kind.name.replace("-", "")}'`,
    );
    return false;
  }

  #noteSystemFailure(details: ErrorDetails): void {
    if (!reachesCode(details)) this.#systemFailure ??= details;
  }

  #discard(message: OrchestratorItem, reason: DiscardedMessage["reason"]): void {
    this.discarded.push({ message, reason });
  }
}
