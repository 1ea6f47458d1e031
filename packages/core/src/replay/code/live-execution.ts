/**
 * One execution's code, kept at the point that its history has reached: the running function, what it has asked
 * for, and who waits for what. It is fed one event at a time and runs to a standstill after each, so which
 * branch of a race wins is decided by history alone.
 *
 * Invariants (tests cite them):
 *   L1  Code runs only inside `#run`, from which `apply` and `record` return when it stands still.
 *   L2  An action leaves `#emitted` exactly once: matched by an event of history, or recorded as a new one.
 *   L3  After a turn `#emitted` is empty, and `#open` holds the calls that history has scheduled but not answered.
 *   L4  At most one call settles between two standstills, except that giving up one call may reject others.
 */
import type { KvEntry } from "../../contract/provider.ts";
import type { OrchestrationContext } from "../../define/orchestration-context.ts";
import { validateStored } from "../../define/standard-schema.ts";
import { closeTurn, openTurn } from "../../guard/open-turns.ts";
import { owned } from "../../guard/rejections.ts";
import type { EventOf, HistoryEvent } from "../../wire/event.ts";
import { saturatedNumber, type U64 } from "../../wire/integer.ts";
import { type Action, type ActionEvent, actionEvent, adoptRecord, isActionEvent } from "../calls/action.ts";
import { noteCallSite } from "../calls/call-sites.ts";
import { type CallAnswers, type CallFamily, DurableCall } from "../calls/durable-call.ts";
import { Scope } from "../calls/scope.ts";
import type { EventWriter } from "../history/event-writer.ts";
import { ReplayFailure } from "../replay-failure.ts";
import { MessageQueues, PositionalWaits, type QueuedMessage, type Queues, type Waits } from "./arrivals.ts";
import { drainMicrotasks } from "./drain.ts";
import { EmittedActions } from "./emitted-actions.ts";
import { runHandler } from "./handler.ts";
import { KvState } from "./kv-state.ts";
import { LateRejections } from "./late-rejections.ts";
import { dropsLate, LegacyQueues, LegacyWaits } from "./legacy-arrivals.ts";
import { stateOf } from "./mismatch.ts";
import type { Continuation, Identity, Outcome, Surroundings } from "./program.ts";
import type { Recorder } from "./recorder.ts";
import { seededRandom } from "./seeded-random.ts";
import { tellOfStray } from "./stray-code.ts";
import { warnOfRejection } from "./warnings.ts";

export interface LiveExecutionOptions {
  readonly identity: Identity;
  readonly surroundings: Surroundings;
  readonly kvSnapshot: ReadonlyMap<string, KvEntry>;
  /** Makes the context that the orchestration function is called with. */
  readonly begin: (recorder: Recorder, scope: Scope) => OrchestrationContext;
}

/** An action and the event that now stands for it. */
export interface RecordedAction {
  readonly action: Action;
  readonly eventId: number;
}

export class LiveExecution implements Recorder {
  readonly identity: Identity;
  readonly surroundings: Surroundings;
  readonly kv: KvState;
  readonly random: () => number;
  readonly #begin: LiveExecutionOptions["begin"];
  #status: string | null = null;
  #continuation: Continuation | undefined;
  #mustReplay = false;
  #isReplaying = false;
  readonly #emitted = new EmittedActions();
  readonly #open = new Map<U64, DurableCall>();
  #waits: Waits = new PositionalWaits();
  #queues: Queues = new MessageQueues();
  #dropped: Set<U64> | undefined;
  readonly #root = new Scope();
  readonly #lateRejections = new LateRejections((reason) => warnOfRejection(this, reason));
  #outcome: Outcome | undefined;
  #violation: ReplayFailure | undefined;
  #inTurn = false;
  #ended = false;
  #tooLate: DurableCall[] | undefined;
  #unawaited: readonly DurableCall[] | undefined;
  #nowMs = 0;

  constructor({ identity, surroundings, kvSnapshot, begin }: LiveExecutionOptions) {
    this.identity = identity;
    this.surroundings = surroundings;
    this.kv = new KvState(kvSnapshot);
    this.random = seededRandom(`${identity.instanceId}#${identity.executionId}`);
    this.#begin = begin;
  }

  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Whether the code has returned, thrown or asked to continue as new. */
  get hasEnded(): boolean {
    return this.#outcome !== undefined || this.#continuation !== undefined;
  }

  get continuation(): Continuation | undefined {
    return this.#continuation;
  }

  get status(): string | null {
    return this.#status;
  }

  get isReplaying(): boolean {
    return this.#isReplaying;
  }

  /**
   * Executions begun before 0.1.31 drop a wait only when its cancel event is replayed. An execution that stays in
   * memory does not see that event, so these are not kept between turns.
   */
  get mustReplay(): boolean {
    return this.#mustReplay;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Schedule ids of what the code has given up, timers excepted: those leave no trace. */
  get droppedCalls(): ReadonlySet<U64> {
    return this.#dropped ?? NONE;
  }

  /** Calls that are not answered, and whose result the code has never asked for; as of its end, if it has ended. */
  get unawaitedCalls(): readonly DurableCall[] {
    return this.#unawaited ?? this.#collectUnawaited();
  }

  /** Calls that were made after continue-as-new: they are never carried out. */
  get callsAfterContinuation(): readonly DurableCall[] {
    return this.#tooLate ?? [];
  }

  /** What no event of history records yet, in call order. */
  get emittedActions(): Iterable<Action> {
    return this.#emitted;
  }

  /** Names of the events that came without a wait since the last call. */
  takeLostEvents(): readonly string[] {
    return this.#waits.takeLost();
  }

  get unreadMessages(): readonly QueuedMessage[] {
    return this.#queues.unread();
  }

  /** Whether the code awaits at least one call that history can answer; a lost branch awaits in vain. */
  get waitsForHistory(): boolean {
    for (const { task, dropped } of this.#open.values()) {
      if (task.pending && task.observed && !dropped) return true;
    }
    return false;
  }

  /** Feeds one event and lets the code run as far as it goes. Throws ReplayFailure where they do not fit. */
  async apply(event: HistoryEvent): Promise<void> {
    this.#checkViolation();
    if (this.#mustReplay) this.#catchUp(event);
    if (this.#applyEvent(event)) await this.#run(event);
  }

  /**
   * Records what the code asked for beyond history, in call order, and adds it to `recorded`. A dequeue may be
   * answered at once by a buffered message; the code then goes on and may ask for more. That ends with the messages,
   * so it needs no limit (docs/decisions/0008).
   */
  async record(writer: EventWriter, recorded: RecordedAction[]): Promise<void> {
    // A function that has ended outside its turn is fed no event, and must not pass for finished.
    this.#checkViolation();
    for (let action = this.#emitted.takeOldest(); action !== undefined; action = this.#emitted.takeOldest()) {
      const event = writer.appendAny(actionEvent(action, writer.nextEventId, this.identity.executionId));
      recorded.push({ action, eventId: Number(event.event_id) });
      if (!this.#bind(action, event as ActionEvent)) continue;
      await this.#run(event);
    }
  }

  /** Says whether the code that runs next has run in an earlier turn. */
  replaying(isReplaying: boolean): void {
    this.#isReplaying = isReplaying;
  }

  call(scope: Scope, family: CallFamily, answers: CallAnswers): DurableCall {
    const call = new DurableCall(family, answers, scope, (dropped) => this.#noteDropped(dropped));
    noteCallSite(call, this.identity.program);
    return call;
  }

  emit(action: Action): void {
    this.#emitted.add(action);
    if (this.#continuation === undefined || !("call" in action)) return;
    this.#tooLate ??= [];
    this.#tooLate.push(action.call);
  }

  enter(scope: Scope, what: string): boolean {
    if (!this.#inTurn && !scope.lost) this.#noteStray(what);
    if (scope.stopped) return false;
    if (this.#inTurn) return true;
    throw ReplayFailure.asError(this.#violation ?? ReplayFailure.outsideTurn(what));
  }

  continueAs(next: Continuation): void {
    this.#continuation ??= next;
  }

  setStatus(text: string | null): void {
    this.#status = text;
  }

  stop(scope: Scope): void {
    scope.stop();
    for (const call of this.#open.values()) if (call.scope.within(scope)) call.drop();
    for (const action of this.#emitted)
      if ("call" in action && action.call.scope.within(scope)) action.call.drop();
  }

  /** Forgets the code: whatever of it is still running records nothing any more. */
  dispose(): void {
    this.#root.stop();
  }

  /** The execution has ended: nothing of what the code left behind will be awaited. */
  end(): void {
    this.#ended = true;
    this.dispose();
    this.#lateRejections.end();
  }

  #checkViolation(): void {
    if (this.#violation !== undefined) throw this.#violation;
  }

  /** Lets the code go as far as it goes (L1). */
  async #run(event: HistoryEvent): Promise<void> {
    this.#nowMs = Math.max(this.#nowMs, saturatedNumber(event.timestamp_ms));
    this.#inTurn = true;
    openTurn(this.surroundings.guard);
    try {
      if (event.type === "OrchestrationStarted") this.#start(event);
      await drainMicrotasks();
    } finally {
      closeTurn(this.surroundings.guard);
      this.#inTurn = false;
    }
    this.#checkViolation();
    if (this.#outcome === undefined) return;
    this.#unawaited ??= this.#collectUnawaited();
    this.stop(this.#root);
  }

  #collectUnawaited(): readonly DurableCall[] {
    const emitted = [...this.#emitted].flatMap((action) => ("call" in action ? [action.call] : []));
    return [...this.#open.values(), ...emitted].filter((call) => call.unawaited);
  }

  #start({ input }: EventOf<"OrchestrationStarted">): void {
    const { handler, schema, name } = this.identity.program;
    const run = (): unknown => {
      const decoded = this.surroundings.codec.decode(input);
      const parsed =
        schema === undefined ? decoded : validateStored(schema, decoded, `input of orchestration "${name}"`);
      return handler(this.#begin(this, this.#root), parsed);
    };
    owned(this.#lateRejections, () => runHandler(run)).then(
      (value) => this.#settle({ kind: "returned", value }),
      (error: unknown) => this.#settle({ kind: "threw", error }),
    );
  }

  #settle(outcome: Outcome): void {
    this.#outcome = outcome;
    if (!this.#inTurn) this.#noteStray("the end of the orchestration function");
  }

  /** Also of an execution that memory was not kept for: its code was not to go on either. */
  #noteStray(what: string): void {
    if (this.#ended || this.#violation !== undefined) return;
    this.#violation = tellOfStray(this.identity, what, this.surroundings.onStrayCode);
  }

  /** True when code may go on. */
  #applyEvent(event: HistoryEvent): boolean {
    if (isActionEvent(event)) return this.#match(event);
    switch (event.type) {
      case "OrchestrationStarted":
        this.#status = event.initial_custom_status ?? null;
        if (dropsLate(event.duroxide_version)) {
          this.#waits = new LegacyWaits();
          this.#queues = new LegacyQueues();
          this.#mustReplay = true;
        }
        return true;
      case "ActivityCompleted":
        return this.#answered(event, "activity").succeed(event.result);
      case "ActivityFailed":
        return this.#answered(event, "activity").fail(event.details);
      case "SubOrchestrationCompleted":
        return this.#answered(event).succeed(event.result);
      case "SubOrchestrationFailed":
        return this.#answered(event).fail(event.details);
      case "TimerFired":
        return this.#answered(event).succeed("");
      case "ExternalEvent":
        return this.#close(this.#waits.arrive(event.name, event.data));
      case "ExternalEventPersistent":
        return this.#close(this.#queues.arrive(event.name, event.data));
      case "ExternalSubscribedCancelled":
      case "ExternalSubscribedPersistentCancelled":
        if (event.source_event_id === null) return false;
        this.#waits.cancelRecorded(event.source_event_id);
        this.#queues.cancelRecorded(event.source_event_id);
        return false;
      default:
        return false;
    }
  }

  /** Matches an event that an earlier turn recorded with the call that the code makes now (L2). */
  #match(event: ActionEvent): boolean {
    const action = this.#emitted.takeMatching(event, this.surroundings.codec, () =>
      stateOf(this.#outcome, this.#continuation),
    );
    return action !== undefined && this.#bind(action, event);
  }

  /** Ties the action to its event. True when that alone lets code go on: a buffered message was waiting. */
  #bind(action: Action, event: ActionEvent): boolean {
    adoptRecord(action, event);
    if (!("call" in action)) return false;
    const { call } = action;
    call.eventId = event.event_id;
    this.#open.set(event.event_id, call);
    if (call.dropped) this.#noteDropped(call);
    if (action.kind === "wait") this.#waits.bind(action.name, call);
    return action.kind === "dequeue" && this.#queues.bind(action.name, call) && this.#close(call);
  }

  /** An arrival has answered the call; true when there was one. */
  #close(call: DurableCall | undefined): boolean {
    if (call?.eventId !== undefined) this.#open.delete(call.eventId);
    return call !== undefined;
  }

  /** Before an event that lets code go on: what older cancellations have made answerable comes first. */
  #catchUp({ type }: HistoryEvent): void {
    if (!COMPLETES.has(type)) return;
    for (const call of [...this.#waits.catchUp(), ...this.#queues.catchUp()]) this.#close(call);
  }

  /** The open call that a completion answers; it is open no more. */
  #answered(event: HistoryEvent, expected?: CallFamily): DurableCall {
    const source = event.source_event_id;
    const call = source === null ? undefined : this.#open.get(source);
    if (source === null || call === undefined) {
      throw ReplayFailure.nondeterminism("completion without open schedule");
    }
    if (expected !== undefined && call.family !== expected) {
      throw ReplayFailure.nondeterminism(`completion kind mismatch: expected ${expected}`);
    }
    this.#open.delete(source);
    return call;
  }

  #noteDropped(call: DurableCall): void {
    if (call.eventId === undefined || call.family === "timer") return;
    this.#dropped ??= new Set();
    this.#dropped.add(call.eventId);
  }
}

const COMPLETES: ReadonlySet<HistoryEvent["type"]> = new Set([
  "ActivityCompleted",
  "ActivityFailed",
  "SubOrchestrationCompleted",
  "SubOrchestrationFailed",
  "TimerFired",
]);

const NONE: ReadonlySet<U64> = new Set();
