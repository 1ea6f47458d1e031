/**
 * The context of orchestration code: each durable call becomes an action, in call order. One context belongs to one scope:
 * the root of the execution, a branch, or the clean-up.
 *
 * - context.X1: A call checks its arguments and encodes its input before it is recorded. A call that throws has
 *   recorded nothing, so code that catches the error replays alike.
 * - context.X2: A call in a stopped branch records nothing and never settles. A call outside a turn throws
 *   (live-execution.L1).
 * - context.X3: Inputs are validated by the schema of the callee but not transformed: the side that handles a value
 *   transforms it. Otherwise it would be transformed twice.
 * - context.X4: What the context reads (`now`, `random`, `kv`, `isReplaying`) comes from the execution and is the same
 *   in every replay, except `isReplaying`, which is for logs.
 */
import {
  checkActivityOptions,
  checkCallOptions,
  checkEntries,
  checkOnCancel,
  checkPatch,
  checkRaceOptions,
  checkStep,
  checkSubOrchestrationOptions,
  storedLabel,
} from "../../define/call-options.ts";
import type {
  ActivityOptions,
  CallOptions,
  ContinueAsNewOptions,
  DetachedOptions,
  OnCancelOptions,
  RaceOptions,
  StepHandler,
  StepOptions,
  SubOrchestrationOptions,
} from "../../define/durable-call-options.ts";
import { checkChildId } from "../../define/instance-id.ts";
import type { KeyValues } from "../../define/key-values.ts";
import type { ContextLog } from "../../define/logger.ts";
import { checkMap, type MapOptions } from "../../define/map.ts";
import { calleeName, type Named } from "../../define/named.ts";
import type {
  CleanUpFunction,
  JoinEntry,
  MapFunction,
  OrchestrationContext,
  RaceEntry,
} from "../../define/orchestration-context.ts";
import type { Saga } from "../../define/saga.ts";
import type { CodeStream, NamedStream } from "../../define/stream.ts";
import { checkedTags } from "../../define/tags.ts";
import type { Task } from "../../define/task.ts";
import { type TimerTime, timerDueMs } from "../../define/timer-time.ts";
import { SubOrchestrationFailedError } from "../../errors/duroxide-error.ts";
import { answered } from "../../guard/answers.ts";
import { unguarded } from "../../guard/open-turns.ts";
import type { TagChanges } from "../../wire/tags.ts";
import type { Attempt } from "../calls/attempt.ts";
import type { Content } from "../calls/content.ts";
import { DEQUEUE } from "../calls/dequeue.ts";
import { DETACHED, type DetachedRequest } from "../calls/detached.ts";
import { type CallAnswers, NO_RESULT } from "../calls/durable-call.ts";
import { DurableTask, refusedTask, typedTask } from "../calls/durable-task.ts";
import { type ArrivalRequest, EVENT_WAIT } from "../calls/event-wait.ts";
import type { CallKind } from "../calls/kind.ts";
import { Scope } from "../calls/scope.ts";
import { SUB_ORCHESTRATION } from "../calls/sub-orchestration.ts";
import { GET_KV_VALUE, NEW_GUID, UTC_NOW_MS } from "../calls/system-calls.ts";
import { OLD_LIMIT, TIMER, type TimerPurpose } from "../calls/timer.ts";
import type { Recorder, RunningCode } from "../code/recorder.ts";
import { type Caller, callActivity, callByName, callStep } from "./activity-calls.ts";
import { waitForAll, waitForAllSettled } from "./all.ts";
import { type AnyAnswer, answer } from "./answer.ts";
import { arrivalAnswers } from "./arrival.ts";
import { codeStream } from "./code-stream.ts";
import { customStatusOf, setCustomStatus } from "./custom-status.ts";
import { inherited } from "./inherited-tags.ts";
import { ContextKeyValues } from "./key-values.ts";
import { replaySafeLog } from "./log.ts";
import { mapItems } from "./map.ts";
import type { Branch } from "./member.ts";
import { decodeResult, encodeInput } from "./payloads.ts";
import { startRace } from "./race.ts";
import { planAttempts, runAttempts } from "./retry.ts";
import { ContextSaga } from "./saga.ts";
import { detachedStart, nextExecution, queuedMessage, raisedEvent } from "./send.ts";
import { refuseUnbound } from "./unbound.ts";

export class Context implements OrchestrationContext {
  readonly #code: RunningCode;
  readonly #recorder: Recorder;
  readonly #scope: Scope;
  #kv: KeyValues | undefined;
  #calls: Caller | undefined;
  #log: ContextLog | undefined;

  constructor(code: RunningCode, recorder: Recorder, scope: Scope) {
    this.#code = code;
    this.#recorder = recorder;
    this.#scope = scope;
  }

  get log(): ContextLog {
    this.#log ??= replaySafeLog(this.#code, this.#scope);
    return this.#log;
  }

  get scheduled(): OrchestrationContext["scheduled"] {
    return this.#code.scheduled;
  }

  get instanceId(): string {
    return this.#code.identity.instanceId;
  }

  get executionId(): number {
    return this.#code.identity.executionId;
  }

  get orchestrationName(): string {
    return this.#code.identity.program.name;
  }

  get orchestrationVersion(): string {
    return this.#code.identity.program.version;
  }

  get isReplaying(): boolean {
    return this.#code.isReplaying;
  }

  scheduleActivity(activity: Named, input?: unknown, options: ActivityOptions = {}): Task<never> {
    const name = calleeName("scheduleActivity", "activity", activity);
    checkActivityOptions(options);
    return this.#attempts(name, options, (branch, attempt) =>
      callActivity(branch.#caller, activity, input, options, attempt),
    );
  }

  run(name: string, step: StepHandler, options: StepOptions = {}): Task<never> {
    checkStep(name, step, options);
    return this.#attempts(name, options, (branch, attempt) =>
      callStep(branch.#caller, name, step, options, attempt),
    );
  }

  get #caller(): Caller {
    this.#calls ??= { code: this.#code, ask: (...call) => this.#ask(...call) };
    return this.#calls;
  }

  #attempts(
    name: string,
    options: ActivityOptions,
    call: (branch: Context, attempt?: Attempt) => DurableTask<unknown>,
  ): Task<never> {
    const plan = planAttempts(name, options);
    if (plan === undefined) return typedTask(call(this), options.signal);
    const task = runAttempts<Context>(plan, (run) => this.branch(run), {
      activity: call,
      timer: (branch, delayMs, purpose) => branch.#timer(delayMs, purpose),
      oldLimit: (branch) => branch.#recorder.ask(TIMER, OLD_LIMIT, branch.#scope, NO_RESULT).task,
      decideFinal: (judged) => this.#code.decisions.decideFinal(judged),
    });
    return typedTask(task, options.signal);
  }

  scheduleTimer(time: TimerTime, options: CallOptions = {}): Task<void> {
    checkCallOptions("scheduleTimer", options);
    return typedTask(this.#timer(time, undefined, storedLabel(options)), options.signal);
  }

  #timer(time: TimerTime, purpose: TimerPurpose | undefined, label?: string): DurableTask<unknown> {
    // The deadline is recorded, and replays take it from there, so the real time may be read here.
    const fireAtMs = unguarded(() => timerDueMs(time, this.#code.surroundings.clock.now(), this.now()));
    return this.#ask("scheduleTimer", TIMER, { fireAtMs, purpose, label }, NO_RESULT);
  }

  waitForEvent<T>(event: Named, options: CallOptions = {}): Task<T> {
    const name = calleeName("waitForEvent", "event", event);
    // A kept event is a queue of its name (docs/decisions/messages.md).
    const isKept = typeof event !== "string" && event.keep === true;
    const request = isKept ? { name, isEvent: true } : { name };
    return this.#arrival<T>(isKept ? DEQUEUE : EVENT_WAIT, "waitForEvent", request, event, options);
  }

  dequeue<T>(queue: Named, options: CallOptions = {}): Task<T> {
    const name = calleeName("dequeue", "queue", queue);
    return this.#arrival<T>(DEQUEUE, "dequeue", { name }, queue, options);
  }

  #arrival<T>(
    kind: CallKind<ArrivalRequest>,
    what: string,
    request: ArrivalRequest,
    channel: Named,
    options: CallOptions,
  ): Task<T> {
    checkCallOptions(what, options);
    const label = storedLabel(options);
    const answers = arrivalAnswers(this.#code, channel);
    const call = this.#ask(`${what}("${request.name}")`, kind, { ...request, label }, answers);
    return typedTask(call, options.signal);
  }

  scheduleSubOrchestration(
    orchestration: Named,
    input?: unknown,
    options: SubOrchestrationOptions = {},
  ): Task<never> {
    checkSubOrchestrationOptions(options);
    const { instanceId: childId, version, signal } = options;
    const label = storedLabel(options);
    const name = calleeName("scheduleSubOrchestration", "orchestration", orchestration);
    const encoded = encodeInput(this.#code, "child-input", orchestration, name, input);
    // An id is often made from data, so an invalid one rejects the call, where code expects failures of the child.
    try {
      if (childId !== undefined) checkChildId(childId);
    } catch (error) {
      return refusedTask(error);
    }
    const task = this.#ask(
      `scheduleSubOrchestration("${name}")`,
      SUB_ORCHESTRATION,
      { name, input: encoded, childId, version, tags: inherited(this.#code, options), label },
      {
        decode: (text) => decodeResult(this.#code, orchestration, text),
        failure: (details) => new SubOrchestrationFailedError(name, details),
      },
    );
    return typedTask(task, signal);
  }

  startOrchestration(orchestration: Named, options: DetachedOptions<unknown>): void {
    this.#send("startOrchestration", detachedStart(this.#code, orchestration, options));
  }

  raise(instanceId: string, event: Named, data?: unknown): void {
    this.#send("raise", raisedEvent(this.#code, instanceId, event, data));
  }

  enqueue(instanceId: string, queue: Named, message?: unknown): void {
    this.#send("enqueue", queuedMessage(this.#code, instanceId, queue, message));
  }

  answer(question: Named, handler: AnyAnswer): Disposable {
    const [code, recorder, scope] = [this.#code, this.#recorder, this.#scope];
    return answer({ code, recorder, scope, branch: (run) => this.branch(run) }, question, handler);
  }

  #send(call: string, request: DetachedRequest): void {
    if (this.#enter(`${call}(${JSON.stringify(request.instance)})`)) this.#recorder.emit(DETACHED, request);
  }

  continueAsNew(orchestration: Named, input?: unknown, options: ContinueAsNewOptions = {}): Promise<never> {
    const next = nextExecution({ code: this.#code, scope: this.#scope }, orchestration, input, options);
    if (this.#enter("continueAsNew")) this.#code.continueAs(next);
    // Never settles: what stands after an awaited continueAsNew does not run.
    return new Promise<never>(() => {});
  }

  all<const T extends readonly JoinEntry[]>(entries: T): Task<never> {
    checkEntries("all", entries);
    return typedTask(waitForAll(entries, (run) => this.branch(run)));
  }

  map(items: readonly unknown[], each: MapFunction<unknown, unknown>, options: MapOptions = {}): Task<never> {
    checkMap(items, each, options);
    return typedTask(mapItems<Context>(items, each, options, (run) => this.branch(run)));
  }

  saga(): Saga {
    return new ContextSaga(this.#code, (run) => this.branch(run));
  }

  allSettled<const T extends readonly JoinEntry[]>(entries: T): Task<never> {
    checkEntries("allSettled", entries);
    return typedTask(waitForAllSettled(entries, (run) => this.branch(run)));
  }

  race<const T extends readonly RaceEntry[]>(entries: T, options: RaceOptions = {}): Task<never> {
    checkEntries("race", entries);
    checkRaceOptions(options);
    return typedTask(startRace(entries, options, (run) => this.branch(run)));
  }

  onCancel(cleanUp: CleanUpFunction, options: OnCancelOptions = {}): Disposable {
    const timeoutMs = checkOnCancel(cleanUp, options);
    const withdraw = this.#enter("onCancel") ? this.#code.onCancel(cleanUp, timeoutMs) : () => {};
    return { [Symbol.dispose]: () => void (this.#enter("onCancel") && withdraw()) };
  }

  /** Runs `run` with a separate context that can be stopped as a whole. */
  branch<T>(run: (branch: Context) => PromiseLike<T>): Branch<T> {
    const scope = new Scope(this.#scope);
    const result = run(new Context(this.#code, this.#recorder, scope));
    return { scope, result, stop: () => this.#code.stop(scope) };
  }

  patched(id: string): boolean {
    checkPatch(id);
    return this.#enter("patched") && this.#code.decisions.decidePatch(id, this.isReplaying);
  }

  now(): number {
    return this.#code.nowMs;
  }

  random(): number {
    return this.#code.random();
  }

  deterministic<T>(run: () => T | PromiseLike<T>): Promise<T> {
    return answered(this, run);
  }

  utcNow(options: CallOptions = {}): Task<number> {
    checkCallOptions("utcNow", options);
    const label = storedLabel(options);
    return typedTask(callByName(this.#caller, UTC_NOW_MS, "", Number, { label }), options.signal);
  }

  newGuid(options: CallOptions = {}): Task<string> {
    checkCallOptions("newGuid", options);
    const label = storedLabel(options);
    return typedTask(
      callByName(this.#caller, NEW_GUID, "", (text) => text, { label }),
      options.signal,
    );
  }

  setCustomStatus(status: unknown): void {
    if (this.#enter("setCustomStatus")) setCustomStatus(this.#code, this.#recorder, status);
  }

  setTags(changes: TagChanges): void {
    const tags = checkedTags("setTags", this.#code.tags, changes);
    if (this.#enter("setTags")) this.#code.tags = tags;
  }

  stream(stream: NamedStream<never>): CodeStream<unknown> {
    return codeStream(this.#code, stream, (what) => this.#enter(what));
  }

  getCustomStatus(): unknown {
    return customStatusOf(this.#code);
  }

  get kv(): KeyValues {
    this.#kv ??= new ContextKeyValues(this.#code, this.#recorder, this.#scope, (input, decode) =>
      callByName(this.#caller, GET_KV_VALUE, input, decode),
    );
    return this.#kv;
  }

  /** One durable call; in a stopped branch it records nothing and never settles. */
  #ask<R extends Content>(
    what: string,
    kind: CallKind<R>,
    request: R,
    answers: CallAnswers,
  ): DurableTask<unknown> {
    if (!this.#enter(what)) return new DurableTask<unknown>();
    return this.#recorder.ask(kind, request, this.#scope, answers).task;
  }

  /** False in a stopped branch; throws outside a turn. */
  #enter(what: string): boolean {
    return this.#code.enter(this.#scope, what);
  }
}

refuseUnbound(Context, "ctx");
