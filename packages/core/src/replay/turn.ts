/**
 * Runs one turn: converts the batch's messages to events, runs the code until it is idle, and converts its actions to
 * events and messages (docs/reference/runtime-semantics.md §1.3 to §1.9). The turn stores nothing: the runtime commits
 * the result as a whole or not at all.
 *
 * - turn.T1: The same input gives the same result, except for timestamps: a turn does no I/O and reads only the given
 *   clock.
 * - turn.T2: A turn from memory and a turn from history give the same result. Tests run both ways.
 * - turn.T3: Code that does not match its history changes nothing: the turn ends as blocked or failed, and records no
 *   call. Nor does code with a mistake, unless its orchestration wants to fail then.
 * - turn.T4: A turn that ends the execution sends only messages that do not depend on it: detached starts and notices.
 * - turn.T5: Received messages become events before the code runs, also those that no code waits for. So a message is
 *   either in history or discarded by a rule that depends on history alone, and a repeated delivery finds the first.
 * - turn.T6: Questions become events after all else has run and was recorded; none of code that has ended. So an answer
 *   knows what was sent before the question, and history has both in their order.
 */
import type { KvEntry } from "../contract/provider.ts";
import { cancelledFailure, failureOfCode } from "../errors/failure-details.ts";
import { invariant } from "../errors/invariant.ts";
import { displayMessage, type ErrorDetails } from "../wire/error-details.ts";
import type { EventPayloads, HistoryEvent } from "../wire/event.ts";
import type { U64 } from "../wire/integer.ts";
import { isQuestion } from "../wire/question.ts";
import { runEnded } from "../wire/scheduled.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import { keepNoting } from "./calls/call-sites.ts";
import { SUB_ORCHESTRATION } from "./calls/sub-orchestration.ts";
import { LiveExecution } from "./code/live-execution.ts";
import type { Program, Surroundings } from "./code/program.ts";
import type { Begin } from "./code/recorder.ts";
import { warnOfUnawaited, warnOfUnheard, warnOfWorkAfterContinuation } from "./code/warnings.ts";
import { Context } from "./context/context.ts";
import { checkBeginning, hasRunBefore, isFirstOfRevision, patchesOfStart } from "./history/beginning.ts";
import { cancelChild, matters, PARENT_CANCELLED } from "./history/cancellation.ts";
import { timeoutFailure } from "./history/deadline.ts";
import { endExecution, parentNotice } from "./history/end-execution.ts";
import { EventWriter } from "./history/event-writer.ts";
import { HistoryIndex } from "./history/history-index.ts";
import { messagesOf, type Outgoing, type RecordedAction, successionOf } from "./history/outgoing.ts";
import { type DiscardedMessage, receiveMessages, receiveQuestions } from "./history/receive-messages.ts";
import {
  checkRecordedDrops,
  checkUnrecordedDrops,
  type DropEffects,
  NO_DROPS,
  noteDroppedTimers,
  recordDrops,
  together,
} from "./history/record-drops.ts";
import { recordTags } from "./history/record-tags.ts";
import { DefectFailure, ReplayFailure } from "./replay-failure.ts";
import type { ExecutionMemory, TurnEnd, TurnResult } from "./turn-result.ts";

export interface TurnInput {
  readonly instanceId: string;
  readonly executionId: number;
  readonly program: Program;
  readonly surroundings: Surroundings;
  /** The state before the turn: none, the stored events (and their index), or the memory of the last turn. */
  readonly from:
    | { readonly kind: "start"; readonly started: EventPayloads["OrchestrationStarted"] }
    | { readonly kind: "history"; readonly events: readonly HistoryEvent[]; readonly index: HistoryIndex }
    | { readonly kind: "memory"; readonly memory: ExecutionMemory };
  /** The batch without its start message, in order. */
  readonly messages: readonly OrchestratorItem[];
  readonly kvSnapshot: ReadonlyMap<string, KvEntry>;
  /** Nondeterminism ends the turn as `blocked` and not as `failed`. */
  readonly blocks?: boolean;
  /** The failure because code ran outside its turns since the last turn; it ends the turn. */
  readonly violation?: ErrorDetails | undefined;
}

export async function runTurn(input: TurnInput): Promise<TurnResult> {
  const turn = new Turn(input);
  return turn.run();
}

class Turn {
  readonly #input: TurnInput;
  readonly #index: HistoryIndex;
  readonly #writer: EventWriter;
  readonly #live: LiveExecution;
  readonly #recorded: RecordedAction[] = [];
  #discarded: readonly DiscardedMessage[] = [];
  /** Schedule ids of the calls that the code had dropped when all of history was fed to it. */
  #droppedBefore: ReadonlySet<U64> = NO_DROPPED;
  /** Whether the code had not ended at that point. */
  #goesOn = true;
  #lostEvents: readonly string[] = [];
  /** Whether the code has run to the end of the turn, and not only to a part of its history. */
  #hasRun = false;

  constructor(input: TurnInput) {
    const { instanceId, executionId, program, surroundings, kvSnapshot, from } = input;
    this.#input = input;
    this.#index = startingIndex(from);
    this.#live =
      from.kind === "memory"
        ? from.memory.live
        : new LiveExecution({
            identity: { instanceId, executionId, program },
            surroundings,
            kvSnapshot,
            begin,
          });
    this.#writer = new EventWriter(instanceId, executionId, this.#index, surroundings.clock);
    if (from.kind === "start") this.#writer.append("OrchestrationStarted", from.started);
  }

  async run(): Promise<TurnResult> {
    try {
      const { executionId, messages } = this.#input;
      const received = receiveMessages(messages, executionId, this.#index, this.#writer);
      this.#discarded = received.discarded;
      const abort = received.abort ?? this.#input.violation;
      if (abort !== undefined) throw new ReplayFailure(abort);
      await this.#runCode();
      this.#hasRun = true;
      return this.#finish();
    } catch (error) {
      if (error instanceof DefectFailure) {
        const { detail, thrown } = error;
        return this.#block({ kind: "blocked", reason: "defect", detail, thrown });
      }
      if (error instanceof ReplayFailure) return this.#refuse(error.details);
      throw error;
    }
  }

  #refuse(details: ErrorDetails): TurnResult {
    if (!("Configuration" in details)) return this.#fail(details);
    // Notes call sites, so that a retry, or another instance, can name the line of the difference.
    keepNoting(this.#input.program);
    if (this.#input.blocks !== true) return this.#fail(details);
    return this.#block({ kind: "blocked", reason: "nondeterminism", detail: displayMessage(details) });
  }

  /** A cancellation that needs no code ends the execution all the same. */
  #block(end: TurnEnd): TurnResult {
    const { cancelReason, cleansUp, cancelledAgain } = this.#index;
    if (cancelReason !== undefined && (!cleansUp || cancelledAgain)) return this.#cancel(cancelReason);
    return this.#result({ end });
  }

  /**
   * Three phases: history repeats what earlier turns did, the events of this turn let the code go on, and the new actions
   * become events. Lost events are reported for the second phase only, because an earlier turn has reported the others.
   */
  async #runCode(): Promise<void> {
    const { from } = this.#input;
    const received = [...this.#writer.delta];
    if (from.kind === "history") {
      checkBeginning(from.events);
      this.#live.replaying(hasRunBefore(from.events));
      this.#live.decisions.known(patchesOfStart(from.events));
      await this.#replay(from.events);
    }
    this.#live.replaying(false);
    this.#live.takeLost();
    await this.#feed(received);
    await this.#live.record(this.#writer, this.#recorded);
    await this.#runQuestions();
    const lost = this.#live.takeLost();
    this.#lostEvents = lost.events;
    warnOfUnheard(this.#live, lost, this.#index);
  }

  /** turn.T6 */
  async #runQuestions(): Promise<void> {
    const { messages } = this.#input;
    if (this.#isOver || !messages.some(isQuestion)) return;
    await this.#feed(receiveQuestions(messages, this.#writer));
    await this.#live.record(this.#writer, this.#recorded);
  }

  async #replay(events: readonly HistoryEvent[]): Promise<void> {
    await this.#feed(events);
    this.#droppedBefore = new Set(this.#live.droppedCalls);
    if (!isFirstOfRevision(events)) noteDroppedTimers(this.#droppedBefore, this.#index);
    this.#goesOn = !this.#live.hasEnded;
  }

  /**
   * After the code has ended, answers have no effect, but the calls that it made must still be matched, and a cancellation
   * may let it clean up.
   */
  async #feed(events: readonly HistoryEvent[]): Promise<void> {
    for (const event of events) if (!this.#isOver || matters(event)) await this.#live.apply(event);
  }

  /** Whether the code has ended, and no execution follows, which would get what arrives. */
  get #isOver(): boolean {
    return this.#live.outcome !== undefined && this.#live.continuation === undefined;
  }

  /** Precedence: cancellation, continue-as-new, end of the function (§1.8). The deadline does not fail code that has ended. */
  #finish(): TurnResult {
    if (this.#live.cancelling) return this.#finishCleanUp();
    const { cancelReason, timedOut } = this.#index;
    const { continuation, outcome } = this.#live;
    const inTime = timedOut && outcome !== undefined && continuation === undefined;
    if (cancelReason !== undefined && !inTime) return this.#cancel(cancelReason);
    if (continuation !== undefined) return this.#continueAsNew();
    if (outcome === undefined && !this.#live.waitsForHistory) throw ReplayFailure.foreignWait();
    this.#checkDrops();
    if (outcome === undefined) return this.#goOn();
    if (outcome.kind === "threw") return this.#failThrown(outcome.error);
    return this.#complete(outcome.value);
  }

  /** The instance runs until its clean-up has ended, or is cancelled itself (docs/decisions/sagas.md). */
  #finishCleanUp(): TurnResult {
    const { cancelReason = "", cancelledAgain } = this.#index;
    const { outcome } = this.#live;
    if (cancelledAgain) return this.#cancel(cancelReason);
    if (outcome === undefined && !this.#live.waitsForHistory) throw ReplayFailure.foreignWait();
    this.#checkDrops();
    if (outcome === undefined) return this.#goOn();
    return this.#cancel(cancelReason, outcome.kind === "threw" ? outcome : undefined);
  }

  /** Compares only drops of the replayed part with history, because drops of this turn are not in history yet. */
  #checkDrops(): void {
    const { from } = this.#input;
    if (from.kind !== "history") return;
    checkRecordedDrops(from.events, this.#droppedBefore);
    if (this.#goesOn && !this.#live.mustReplay) checkUnrecordedDrops(from.events, this.#droppedBefore);
  }

  #goOn(): TurnResult {
    const drops = this.#drop();
    if (this.#live.cleansUp && !this.#index.cleansUp) this.#writer.markCleanUp();
    const { workerItems, orchestratorItems } = this.#messages(false);
    invariant([...this.#live.emittedActions].length === 0, "live-execution.L3");
    return this.#result({
      workerItems,
      orchestratorItems: [...orchestratorItems, ...drops.orchestratorItems],
      cancelledActivities: drops.cancelledActivities,
      droppedTimers: drops.droppedTimers,
      end: { kind: "running", memory: { index: this.#index, live: this.#live } },
    });
  }

  /** A result that cannot be encoded fails the execution, like an error that the code throws. */
  #complete(value: unknown): TurnResult {
    let output: string;
    try {
      const { surroundings, identity } = this.#live;
      output = surroundings.codec.encode(value, "orchestration-output", identity.program.name);
    } catch (error) {
      return this.#failThrown(error);
    }
    warnOfUnawaited(this.#live, this.#index);
    const drops = this.#drop();
    const ended = endExecution(this.#index, this.#writer, {
      type: "OrchestrationCompleted",
      payload: { output },
    });
    return this.#result({
      orchestratorItems: [...this.#lastMessages(), ...drops.orchestratorItems, ...this.#runEnded()],
      ...together(drops, ended),
      end: { kind: "completed", output, parent: parentNotice(this.#index) },
    });
  }

  #failThrown(thrown: unknown): TurnResult {
    const failed = this.#fail(failureOfCode(thrown), this.#drop());
    return failed.end.kind === "failed" ? { ...failed, end: { ...failed.end, thrown } } : failed;
  }

  #fail(details: ErrorDetails, drops: DropEffects = NO_DROPS): TurnResult {
    const ended = endExecution(this.#index, this.#writer, {
      type: "OrchestrationFailed",
      payload: { details },
    });
    return this.#result({
      orchestratorItems: [...this.#lastMessages(), ...drops.orchestratorItems, ...this.#runEnded()],
      ...together(drops, ended),
      end: { kind: "failed", details, parent: parentNotice(this.#index) },
    });
  }

  /** Cancels all children. Drops of this turn need no record, because the turn cancels all calls. */
  #cancel(reason: string, cleanUp?: { readonly error: unknown }): TurnResult {
    const children = this.#index.open(SUB_ORCHESTRATION).filter(({ id }) => id < this.#writer.firstEventId);
    const failed = this.#fail(
      this.#index.timedOut ? timeoutFailure(reason) : cancelledFailure(reason, cleanUp),
    );
    const cancels = children.map(({ childId = "" }) => cancelChild(this.#input, childId, PARENT_CANCELLED));
    return { ...failed, orchestratorItems: [...failed.orchestratorItems, ...cancels] };
  }

  /** The memory goes to the next execution for its key-values only; its code has ended. */
  #continueAsNew(): TurnResult {
    const { continuation } = this.#live;
    const { started } = this.#index;
    if (continuation === undefined || started === undefined)
      throw new Error("continue-as-new without a start");
    warnOfUnawaited(this.#live, this.#index);
    warnOfWorkAfterContinuation(this.#live);
    const { unreadMessages: unread, status, tags } = this.#live;
    const { instanceId } = this.#input;
    const { start, returned } = successionOf({ instanceId, continuation, started, unread, status, tags });
    const payload = { input: continuation.input };
    const ended = endExecution(this.#index, this.#writer, { type: "OrchestrationContinuedAsNew", payload });
    return this.#result({
      orchestratorItems: [start, ...this.#lastMessages()],
      returnedMessages: returned,
      ...ended,
      end: {
        kind: "continued-as-new",
        input: continuation.input,
        memory: { index: this.#index, live: this.#live },
      },
    });
  }

  /** The messages that a turn that ends the execution still sends. */
  #lastMessages(): readonly OrchestratorItem[] {
    return this.#messages(true).orchestratorItems;
  }

  #runEnded(): readonly OrchestratorItem[] {
    return runEnded(this.#input.instanceId, this.#index.started?.scheduled);
  }

  #messages(ends: boolean): Outgoing {
    const { instanceId, executionId, program } = this.#input;
    const sender = { instanceId, executionId, runId: this.#index.started?.run_id, program };
    return messagesOf(this.#recorded, sender, ends);
  }

  /** A child that is scheduled in the turn that ends the execution never starts (turn.T4), so no message cancels it. */
  #drop(): DropEffects {
    const { instanceId, executionId } = this.#input;
    const dropped = this.#live.droppedCalls;
    const ends = this.#live.outcome !== undefined;
    const neverStartedFrom = ends ? this.#writer.firstEventId : Number.POSITIVE_INFINITY;
    return recordDrops({ instanceId, executionId, dropped, neverStartedFrom }, this.#index, this.#writer);
  }

  #result(result: Partial<TurnResult> & Pick<TurnResult, "end">): TurnResult {
    invariant(result.end.kind === "running" || result.workerItems === undefined, "turn.T4");
    // A blocked execution has not ended, so its unawaited calls and rejections are not reported.
    if (result.end.kind === "blocked") this.#live.dispose();
    else if (result.end.kind !== "running") this.#live.end();
    const isFromMemory = this.#input.from.kind === "memory";
    const mayStore = result.end.kind !== "blocked" && this.#hasRun;
    if (mayStore) this.#live.decisions.record(this.#writer);
    return {
      delta: this.#writer.delta,
      tags: mayStore ? recordTags(this.#live.tags, this.#index, this.#writer, isFromMemory) : undefined,
      streams: mayStore ? this.#live.streams?.take() : undefined,
      workerItems: [],
      orchestratorItems: [],
      cancelledActivities: [],
      droppedTimers: [],
      returnedMessages: [],
      discarded: this.#discarded,
      setAside: this.#live.deliveries.takeSetAside(),
      lostEvents: this.#lostEvents,
      ...result,
    };
  }
}

const NO_DROPPED: ReadonlySet<U64> = new Set();

/** One function for all executions, to avoid a closure for each. */
const begin: Begin = (code, recorder, scope) => new Context(code, recorder, scope);

function startingIndex(from: TurnInput["from"]): HistoryIndex {
  if (from.kind === "memory") return from.memory.index;
  return from.kind === "history" ? from.index : new HistoryIndex();
}
