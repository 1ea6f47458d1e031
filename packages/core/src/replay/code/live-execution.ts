/**
 * Owns the code of one execution at the point that its history has reached: the running function, the actions that
 * history does not record yet, the calls that it does not answer yet, and the mailboxes. The turn feeds it one event at
 * a time (`apply`) and then records new actions (`record`). The context uses its interfaces RunningCode and Recorder.
 *
 * - live-execution.L1: Code runs only inside `#run`, which ends when the code is idle. A call at any other time throws
 *   and ends the execution's next turn, because its position in history would depend on I/O, so a replay would differ.
 * - live-execution.L2: An action is removed from `emittedActions` exactly once: matched with an event of history, or
 *   recorded as a new event. Otherwise a call would be executed twice, or never.
 * - live-execution.L3: After a turn that does not end the execution, `emittedActions` is empty and `#open` has the calls
 *   that history has scheduled and not answered: a turn may start from memory or from history, with the same state.
 * - live-execution.L4: At most one call settles between two idle points, so only the order of events in history decides
 *   a race. Exception: dropping a call rejects its task, and the code that awaits that task.
 * - live-execution.L5: A cancellation with a clean-up, and a failure with something to undo, replace the root scope. From
 *   then on the handler is code of a lost scope: its calls record nothing and its end is ignored. The clean-up does not
 *   fail because of either.
 * - live-execution.L6: Code that has ended, or asked to continue as new, runs no further. Its calls are dropped, so the
 *   next execution gets the messages that come later in the batch.
 */
import type { CleanUpFunction, OrchestrationContext } from "../../define/orchestration-context.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { invariant } from "../../errors/invariant.ts";
import { closeTurn, openTurn } from "../../guard/open-turns.ts";
import { owned } from "../../guard/rejections.ts";
import { refuseInStep } from "../../guard/running-step.ts";
import { outside } from "../../host/outside.ts";
import type { EventOf, HistoryEvent } from "../../wire/event.ts";
import { saturatedNumber, type U64 } from "../../wire/integer.ts";
import { NO_TAGS, type Tags } from "../../wire/tags.ts";
import { noteCallSite } from "../calls/call-sites.ts";
import type { Content } from "../calls/content.ts";
import { type Action, type CallAnswers, DurableCall } from "../calls/durable-call.ts";
import type { CallKind } from "../calls/kind.ts";
import { Scope } from "../calls/scope.ts";
import { roleOfEvent } from "../calls/table.ts";
import type { EventWriter } from "../history/event-writer.ts";
import type { Continuation, RecordedAction, UnreadMessage } from "../history/outgoing.ts";
import { CleanUps } from "./clean-up.ts";
import { CodeOutsideTurn } from "./code-outside-turn.ts";
import { Decisions } from "./decisions.ts";
import { Defects } from "./defects.ts";
import { Deliveries } from "./deliveries.ts";
import { drainMicrotasks } from "./drain.ts";
import { EmittedActions } from "./emitted-actions.ts";
import { runHandler } from "./handler.ts";
import { KvState } from "./kv-state.ts";
import { LateRejections } from "./late-rejections.ts";
import { dropsLate } from "./legacy-arrivals.ts";
import { NextExecution } from "./next-execution.ts";
import { noted } from "./noted.ts";
import { type LostArrivals, OpenCalls, type OpenSteps } from "./open-calls.ts";
import type { Identity, Outcome, Surroundings } from "./program.ts";
import { Questions } from "./questions.ts";
import type { Begin, LiveExecutionOptions, Recorder, RunningCode } from "./recorder.ts";
import { seededRandom } from "./seeded-random.ts";
import { startCode } from "./start-code.ts";
import type { StreamWrites } from "./stream-writes.ts";
import { warnOfRejection } from "./warnings.ts";

export class LiveExecution implements RunningCode, Recorder {
  readonly identity: Identity;
  readonly surroundings: Surroundings;
  readonly kv: KvState;
  status: string | null = null;
  streams: StreamWrites | undefined;
  tags: Tags = NO_TAGS;
  scheduled: OrchestrationContext["scheduled"];
  readonly questions: Questions;
  readonly random: () => number;
  readonly decisions: Decisions = new Decisions();
  readonly cleanUps: CleanUps = new CleanUps(this);
  readonly #begin: Begin;
  readonly next: NextExecution = new NextExecution();
  #isReplaying = false;
  readonly emittedActions: EmittedActions = new EmittedActions();
  readonly deliveries: Deliveries;
  readonly #open: OpenCalls;
  #dropped: Set<U64> | undefined;
  #root = new Scope();
  /** Whether the handler was stopped, and the clean-up runs or has ended; then `outcome` is that of the clean-up. */
  cancelling = false;
  readonly #lateRejections = new LateRejections((reason) => warnOfRejection(this, reason));
  #outcome: Outcome | undefined;
  readonly #defects: Defects;
  readonly #stray: CodeOutsideTurn;
  #inTurn = false;
  #unawaited: readonly DurableCall[] | undefined;
  #nowMs = 0;

  constructor({ identity, surroundings, kvSnapshot, begin }: LiveExecutionOptions) {
    this.identity = identity;
    this.surroundings = surroundings;
    this.kv = new KvState(kvSnapshot);
    this.#defects = new Defects(identity.program);
    this.#stray = new CodeOutsideTurn(identity, surroundings.onStrayCode);
    this.deliveries = new Deliveries(this, this.#defects);
    this.#open = new OpenCalls(this.deliveries);
    this.questions = new Questions(this.kv);
    this.random = seededRandom(`${identity.instanceId}#${identity.executionId}`);
    this.#begin = begin;
  }

  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Whether the code has returned, thrown or asked to continue as new. */
  get hasEnded(): boolean {
    return this.#outcome !== undefined || this.continuation !== undefined;
  }

  get continuation(): Continuation | undefined {
    return this.next.continuation;
  }

  /** Whether a cancellation needs this code. */
  get cleansUp(): boolean {
    return this.cleanUps.some;
  }

  get isReplaying(): boolean {
    return this.#isReplaying;
  }

  /** Whether it drops waits only when their cancel events are replayed, which one that stays in memory does not see. */
  get mustReplay(): boolean {
    return this.#open.dropsLate;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Schedule ids of the dropped calls, for kinds whose drops history records. */
  get droppedCalls(): ReadonlySet<U64> {
    return this.#dropped ?? NONE;
  }

  /** Unanswered calls that the code has never awaited. Collected when the code ends, if it has ended. */
  get unawaitedCalls(): readonly DurableCall[] {
    return this.#unawaited ?? this.#collectUnawaited();
  }

  /** Arrivals since the last call of this method that the code does not see. */
  takeLost(): LostArrivals {
    return this.#open.takeLost(this.questions.takeUnheard());
  }

  get inputLength(): number {
    return this.emittedActions.inputLength;
  }

  get steps(): OpenSteps {
    return this.#open;
  }

  get unreadMessages(): readonly UnreadMessage[] {
    return [...this.#open.unreadMessages, ...this.questions.unread(this.#nowMs)];
  }

  /** Whether the code awaits at least one call that history can answer. The calls of a stopped branch do not count. */
  get waitsForHistory(): boolean {
    const awaited = this.#open.find(({ task, dropped }) => task.pending && task.observed && !dropped);
    return awaited !== undefined;
  }

  /** Feeds one event and runs the code until it is idle. Throws ReplayFailure if code and event do not match. */
  async apply(event: HistoryEvent): Promise<void> {
    this.#stray.check();
    if (this.#applyEvent(event)) await this.#run(event);
  }

  /**
   * Records the actions that are not in history, in call order, and adds them to `recorded`. A message that arrived
   * before its dequeue answers it at once; the code then continues and may make further calls. The number of messages
   * bounds this loop, so it needs no limit (docs/decisions/rust.md). Throws DefectFailure if a mistake blocks the code.
   */
  async record(writer: EventWriter, recorded: RecordedAction[]): Promise<void> {
    // If the function has ended outside a turn, its end must not be recorded.
    this.#stray.check();
    this.#defects.check();
    this.deliveries.record(writer);
    for (
      let action = this.emittedActions.takeOldest();
      action !== undefined;
      action = this.emittedActions.takeOldest()
    ) {
      const { kind } = action;
      const payload = this.emittedActions.payloadOf(action, writer.nextEventId, this);
      const event = writer.append(kind.schedules, noted(payload, action, this.surroundings)) as HistoryEvent;
      recorded.push({ action, eventId: Number(event.event_id) });
      const isAnswered = this.#bind(action, event);
      this.deliveries.record(writer);
      if (isAnswered) await this.#run(event);
    }
    this.#defects.check();
    writer.settle();
  }

  /** Says whether the code that runs next has run in an earlier turn. */
  replaying(isReplaying: boolean): void {
    this.#isReplaying = isReplaying;
  }

  ask<R extends Content>(kind: CallKind<R>, request: R, scope: Scope, answers: CallAnswers): DurableCall {
    const call = new DurableCall(kind as CallKind, answers, scope, this.#noteDropped);
    noteCallSite(call, this.identity.program, this.surroundings.sourceLines === true ? "all" : "first");
    this.emittedActions.add({ kind: kind as CallKind, request, call });
    return call;
  }

  emit<R extends Content>(kind: CallKind<R>, request: R): void {
    this.emittedActions.add({ kind: kind as CallKind, request, call: undefined });
  }

  enter(scope: Scope, what: string): boolean {
    refuseInStep(what);
    if (!this.#inTurn && !scope.lost) this.#stray.note(what);
    if (scope.stopped) return false;
    if (this.#inTurn) return !this.next.ignores(what, this.identity.program);
    throw this.#stray.refusalOf(what);
  }

  continueAs(next: Continuation): void {
    if (this.cancelling)
      throw new InvalidInputError("continueAsNew: the clean-up of a cancelled instance ends it");
    this.next.ask(next);
    for (const scope of this.questions.running) this.stop(scope);
  }

  onCancel(cleanUp: CleanUpFunction, timeoutMs: number | undefined): () => void {
    if (this.cancelling) throw new InvalidInputError("onCancel: the instance is cancelled already");
    return this.cleanUps.add(cleanUp, timeoutMs);
  }

  contextIn(scope: Scope): OrchestrationContext {
    return this.#begin(this, this, scope);
  }

  stop(scope: Scope): void {
    scope.stop();
    for (const call of this.#open.values()) if (call.scope.within(scope)) call.drop();
    for (const { call } of this.emittedActions) if (call?.scope.within(scope)) call.drop();
  }

  /** Drops the code: later calls record nothing. */
  dispose(): void {
    this.#root.stop();
    this.cleanUps.undos.scopeInUse?.stop();
    if (this.#open.hasSteps) this.surroundings.onStepsOver?.(this.identity);
  }

  /** Called when the execution has ended: reports rejections that the code has not awaited. */
  end(): void {
    this.#stray.end();
    this.dispose();
    this.#lateRejections.end();
  }

  /** Runs the code until it is idle (live-execution.L1, live-execution.L6). */
  async #run(event: HistoryEvent): Promise<void> {
    this.#nowMs = Math.max(this.#nowMs, saturatedNumber(event.timestamp_ms));
    invariant(!this.#inTurn, "live-execution.L1");
    this.#inTurn = true;
    this.decisions.receive(event);
    openTurn(this.surroundings.guard);
    try {
      if (event.type === "OrchestrationStarted")
        this.#call(() => startCode(this, this.#root, this.#begin, event));
      else if (event.type === "OrchestrationCancelRequested") this.#cleanUp(event);
      await drainMicrotasks();
      if (!this.questions.isEmpty) await this.#answer();
    } finally {
      closeTurn(this.surroundings.guard);
      this.#inTurn = false;
    }
    this.#stray.check();
    if (!this.hasEnded) return;
    this.#unawaited ??= this.#collectUnawaited();
    this.stop(this.#root);
    const { scopeInUse } = this.cleanUps.undos;
    if (scopeInUse !== undefined) this.stop(scopeInUse);
  }

  /** questions.Q1 */
  async #answer(): Promise<void> {
    while (!this.hasEnded && this.questions.begin(this.#lateRejections)) await drainMicrotasks();
  }

  #collectUnawaited(): readonly DurableCall[] {
    const emitted = [...this.emittedActions].flatMap(({ call }) => call ?? []);
    return [...this.#open.values(), ...emitted].filter((call) => call.unawaited);
  }

  /** Runs code whose end is the outcome, unless it is cancelled before. */
  #call(run: () => unknown): void {
    const scope = this.#root;
    // What the code enters must not reach the turn that runs it, or the next one.
    outside(() => owned(this.#lateRejections, () => runHandler(run))).then(
      (value) => this.#settle(scope, { kind: "returned", value }),
      (error: unknown) => this.#settle(scope, { kind: "threw", error }),
    );
  }

  /** The handler stops at its current await, and its clean-up takes its place. */
  #cleanUp({ reason }: EventOf<"OrchestrationCancelRequested">): void {
    this.cancelling = true;
    this.#outcome = undefined;
    this.#defects.forget();
    this.next.withdraw();
    this.#unawaited = undefined;
    this.#replaceCode((ctx) => this.cleanUps.runAll(ctx, reason, this, this.#defects));
  }

  /** live-execution.L5 */
  #replaceCode(run: (ctx: OrchestrationContext) => unknown): void {
    this.stop(this.#root);
    this.#root.abandon();
    this.#root = new Scope();
    this.#call(() => run(this.contextIn(this.#root)));
  }

  #settle(scope: Scope, outcome: Outcome): void {
    if (scope !== this.#root) return;
    const { undos } = this.cleanUps;
    const threw = outcome.kind === "threw" && this.continuation === undefined ? outcome : undefined;
    if (threw !== undefined) this.#defects.note(threw.error);
    if (threw === undefined || undos.isEmpty || this.cancelling) this.#end(outcome);
    else {
      this.#defects.undoneIn(undos.openScope());
      this.#replaceCode(() => undos.undoFailed(threw.error));
    }
  }

  #end(outcome: Outcome): void {
    this.#outcome = outcome;
    if (!this.#inTurn) this.#stray.note("the end of the orchestration function");
  }

  /** True if code may continue: the event starts it or settles one of its calls (live-execution.L4). */
  #applyEvent(event: HistoryEvent): boolean {
    const role = roleOfEvent(event.type);
    switch (role?.is) {
      case "request":
        return this.#match(role.kind, event);
      case "answer":
        return this.questions.arrive(event) ?? this.#open.answer(role, event);
      case "drop":
        this.#open.dropRecorded(role.kind, event);
        return false;
      case undefined:
        if (event.type === "OrchestrationStarted") return this.#prepare(event);
        return event.type === "OrchestrationCancelRequested" && this.#stopsFor(event);
    }
  }

  /** The deadline does not stop code that has ended. */
  #stopsFor({ deadline_ms }: EventOf<"OrchestrationCancelRequested">): boolean {
    if (!this.cleansUp || this.cancelling) return false;
    return deadline_ms === undefined || this.#outcome === undefined || this.continuation !== undefined;
  }

  #prepare({ scheduled: run, ...started }: EventOf<"OrchestrationStarted">): true {
    this.status = started.initial_custom_status ?? null;
    this.tags = started.tags ?? NO_TAGS;
    this.scheduled = run && { name: run.name, dueMs: Number(run.due_ms) };
    if (dropsLate(started.duroxide_version)) this.#open.dropLate();
    return true;
  }

  /** Matches an event that an earlier turn recorded with the call that the code makes now (live-execution.L2). */
  #match(kind: CallKind, event: HistoryEvent): boolean {
    const action = this.emittedActions.takeMatching(event, kind, this.surroundings.codec, this);
    this.#defects.matched(action?.call?.scope);
    return action !== undefined && this.#bind(action, event);
  }

  /** Binds the action to its event. True if code may continue at once, because a message arrived before the dequeue. */
  #bind({ kind, request, call }: Action, event: HistoryEvent): boolean {
    kind.adopt(request, event);
    if (call === undefined) return false;
    invariant(call.eventId === undefined, "live-execution.L2");
    call.eventId = event.event_id;
    const settled = this.#open.add(kind, request, call, event);
    if (call.dropped) this.#noteDropped(call);
    return settled;
  }

  /** One function for all calls, to avoid a closure for each call. */
  readonly #noteDropped = ({ eventId, kind }: DurableCall): void => {
    if (eventId === undefined || kind.drop === undefined) return;
    this.#dropped ??= new Set();
    this.#dropped.add(eventId);
  };
}

const NONE: ReadonlySet<U64> = new Set();
