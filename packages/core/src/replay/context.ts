/** The context that orchestration code sees: each durable call becomes an action, in call order. */
import { type Duration, durationMs } from "../define/duration.ts";
import { checkChildId, checkRootId } from "../define/instance-id.ts";
import { exceedsUtf8, MAX_TAG_BYTES, utf8Bytes } from "../define/limits.ts";
import type {
  ActivityOptions,
  CallOptions,
  ContinueAsNewOptions,
  DetachedOptions,
  JoinEntry,
  OrchestrationContext,
  OrchestrationLog,
  RaceEntry,
  RaceOptions,
  SubOrchestrationOptions,
} from "../define/orchestration-context.ts";
import { type StandardSchema, validate, validateStored } from "../define/standard-schema.ts";
import type { Task } from "../define/task.ts";
import {
  ActivityFailedError,
  DuroxideError,
  LimitExceededError,
  refusedPayload,
  SubOrchestrationFailedError,
} from "../errors/duroxide-error.ts";
import { unguarded } from "../guard/open-turns.ts";
import { describePayload, type PayloadKind } from "../payload/payload-kind.ts";
import type { Attempt } from "./attempt.ts";
import { waitForAll, waitForAllSettled } from "./combinators/all.ts";
import { startRace } from "./combinators/race.ts";
import { planAttempts, runAttempts } from "./combinators/retry.ts";
import { typedTask } from "./combinators/signal.ts";
import type { DurableCall } from "./durable-call.ts";
import { DurableTask } from "./durable-task.ts";
import { KvAccess } from "./kv-access.ts";
import type { LiveExecution } from "./live-execution.ts";
import { ReplaySafeLog } from "./replay-safe-log.ts";
import { Scope } from "./scope.ts";
import { GET_KV_VALUE, NEW_GUID, UTC_NOW_MS } from "./system-calls.ts";

/** A definition, or just the name of one that lives elsewhere. */
type Named =
  | string
  | {
      readonly name: string;
      readonly schema?: StandardSchema<unknown, unknown> | undefined;
      /** Of events. */
      readonly keep?: boolean;
    };

/** Where an activity goes beside its name, and which attempt of a call it is. */
interface Addressed {
  readonly session?: string | undefined;
  readonly tag?: string | undefined;
  readonly attempt?: Attempt | undefined;
}

/** Code that runs with a context of its own. */
export interface Branch<T> {
  readonly scope: Scope;
  readonly result: PromiseLike<T>;
  stop(): void;
}

export class Context implements OrchestrationContext {
  readonly log: OrchestrationLog;
  readonly #execution: LiveExecution;
  readonly #scope: Scope;
  readonly #kv: KvAccess;

  constructor(execution: LiveExecution, scope: Scope) {
    this.#execution = execution;
    this.#scope = scope;
    this.#kv = new KvAccess(execution);
    this.log = new ReplaySafeLog(execution, scope);
  }

  get instanceId(): string {
    return this.#execution.instanceId;
  }

  get executionId(): number {
    return this.#execution.executionId;
  }

  get orchestrationName(): string {
    return this.#execution.program.name;
  }

  get orchestrationVersion(): string {
    return this.#execution.program.version;
  }

  get isReplaying(): boolean {
    return this.#execution.isReplaying;
  }

  scheduleActivity(activity: Named, input?: unknown, options: ActivityOptions = {}): Task<never> {
    const plan = planAttempts(nameOf(activity), options);
    const task =
      plan === undefined
        ? this.#activity(activity, input, options)
        : runAttempts(this, plan, (branch, attempt) => branch.#activity(activity, input, options, attempt));
    return typedTask(task, options.signal);
  }

  #activity(
    activity: Named,
    input: unknown,
    { session, tag }: ActivityOptions,
    attempt?: Attempt,
  ): DurableTask<unknown> {
    if (tag !== undefined && exceedsUtf8(tag, MAX_TAG_BYTES)) {
      throw new LimitExceededError(
        `Activity '${nameOf(activity)}' tag size (${utf8Bytes(tag)} bytes) exceeds limit (${MAX_TAG_BYTES} bytes)`,
      );
    }
    const name = nameOf(activity);
    const decode = (text: string): unknown => this.#decode(text);
    return this.#activityCall(name, this.#encode("activity-input", activity, input), decode, {
      session,
      tag,
      attempt,
    });
  }

  #activityCall(
    name: string,
    input: string,
    decode: (text: string) => unknown,
    { session: sessionId, tag, attempt }: Addressed = {},
  ): DurableTask<unknown> {
    return this.#call(
      `scheduleActivity("${name}")`,
      () =>
        this.#execution.call(this.#scope, "activity", {
          decode,
          failure: (details) => new ActivityFailedError(name, details),
        }),
      (call) => ({ kind: "activity", call, name, input, sessionId, tag, attempt }),
    );
  }

  scheduleTimer(delay: Duration, options: CallOptions = {}): Task<void> {
    const nowMs = unguarded(() => this.#execution.clock.now());
    const fireAtMs = Math.min(nowMs + durationMs(delay), Number.MAX_SAFE_INTEGER);
    const task = this.#call(
      "scheduleTimer",
      () => this.#execution.call(this.#scope, "timer", { decode: () => undefined }),
      (call) => ({ kind: "timer", call, fireAtMs }),
    );
    return typedTask(task, options.signal);
  }

  waitForEvent<T>(event: Named, options: CallOptions = {}): Task<T> {
    // A kept event is a queue of its name (docs/decisions/0026).
    const family = typeof event !== "string" && event.keep === true ? "dequeue" : "wait";
    return this.#arrival<T>(family, `waitForEvent("${nameOf(event)}")`, event, options);
  }

  dequeue<T>(queue: Named, options: CallOptions = {}): Task<T> {
    return this.#arrival<T>("dequeue", `dequeue("${nameOf(queue)}")`, queue, options);
  }

  #arrival<T>(family: "wait" | "dequeue", what: string, channel: Named, { signal }: CallOptions): Task<T> {
    const task = this.#call(
      what,
      () => this.#execution.call(this.#scope, family, { decode: (text) => this.#parse(channel, text) }),
      (call) => ({ kind: family, call, name: nameOf(channel) }),
    );
    return typedTask(task, signal);
  }

  scheduleSubOrchestration(
    orchestration: Named,
    input?: unknown,
    { instanceId, version, signal }: SubOrchestrationOptions = {},
  ): Task<never> {
    const name = nameOf(orchestration);
    const encoded = this.#encode("child-input", orchestration, input);
    try {
      if (instanceId !== undefined) checkChildId(instanceId);
    } catch (error) {
      const refused = new DurableTask<never>();
      refused.reject(error);
      return refused;
    }
    const task = this.#call(
      `scheduleSubOrchestration("${name}")`,
      () =>
        this.#execution.call(this.#scope, "sub-orchestration", {
          decode: (text) => this.#decode(text),
          failure: (details) => new SubOrchestrationFailedError(name, details),
        }),
      (call) => ({ kind: "sub-orchestration", call, name, input: encoded, instanceId, version }),
    );
    return typedTask(task, signal);
  }

  startOrchestration(orchestration: Named, { instanceId, input, version }: DetachedOptions<unknown>): void {
    checkRootId(instanceId);
    const encoded = this.#encode("orchestration-input", orchestration, input);
    const name = nameOf(orchestration);
    if (!this.#enter(`startOrchestration("${name}")`)) return;
    this.#execution.emit({ kind: "detached", name, instanceId, input: encoded, version });
  }

  continueAsNew(
    orchestration: Named,
    input?: unknown,
    { version }: ContinueAsNewOptions = {},
  ): Promise<never> {
    const encoded = this.#encode("orchestration-input", orchestration, input);
    if (this.#enter("continueAsNew")) {
      this.#execution.continuation ??= { orchestrationName: nameOf(orchestration), input: encoded, version };
    }
    return new Promise<never>(() => {});
  }

  all<const T extends readonly JoinEntry[]>(entries: T): Task<never> {
    return typedTask(waitForAll(entries, (run) => this.branch(run)));
  }

  allSettled<const T extends readonly JoinEntry[]>(entries: T): Task<never> {
    return typedTask(waitForAllSettled(entries, (run) => this.branch(run)));
  }

  race<const T extends readonly RaceEntry[]>(entries: T, options: RaceOptions = {}): Task<never> {
    return typedTask(startRace(entries, options, (run) => this.branch(run)));
  }

  /** Runs `run` with a context of its own that can be stopped as a whole. */
  branch<T>(run: (branch: Context) => PromiseLike<T>): Branch<T> {
    const scope = new Scope(this.#scope);
    const result = run(new Context(this.#execution, scope));
    return { scope, result, stop: () => this.#execution.stop(scope) };
  }

  now(): number {
    return this.#execution.nowMs;
  }

  random(): number {
    return this.#execution.random();
  }

  utcNow({ signal }: CallOptions = {}): Task<number> {
    const task = this.#activityCall(UTC_NOW_MS, "", Number);
    return typedTask(task, signal);
  }

  newGuid({ signal }: CallOptions = {}): Task<string> {
    const task = this.#activityCall(NEW_GUID, "", (text) => text);
    return typedTask(task, signal);
  }

  setCustomStatus(status: unknown): void {
    if (this.#enter("setCustomStatus")) this.#kv.setCustomStatus(status);
  }

  getCustomStatus(): unknown {
    return this.#kv.customStatus();
  }

  set(key: Named, value: unknown): void {
    if (!this.#enter(`set("${nameOf(key)}")`)) return;
    if (typeof key !== "string" && key.schema !== undefined) validate(key.schema, value, `"${key.name}"`);
    this.#kv.set(nameOf(key), value);
  }

  get<T>(key: Named): T | undefined {
    const value = this.#kv.get(nameOf(key));
    return (value === undefined ? undefined : validated(key, value)) as T | undefined;
  }

  delete(key: Named): void {
    if (this.#enter(`delete("${nameOf(key)}")`)) this.#kv.delete(nameOf(key));
  }

  clear(): void {
    if (this.#enter("clear")) this.#kv.clear();
  }

  keys(): readonly string[] {
    return this.#execution.kv.keys();
  }

  deleteUpdatedBefore(cutoffMs: number): number {
    return this.#enter("deleteUpdatedBefore") ? this.#kv.deleteUpdatedBefore(cutoffMs) : 0;
  }

  getFromInstance<T>(instanceId: string, key: Named, { signal }: CallOptions = {}): Task<T | undefined> {
    const input = JSON.stringify({ instance_id: instanceId, key: nameOf(key) });
    const decode = (text: string): unknown => {
      const stored: unknown = JSON.parse(text);
      return typeof stored === "string" ? this.#parse(key, stored) : undefined;
    };
    const task = this.#activityCall(GET_KV_VALUE, input, decode);
    return typedTask(task, signal);
  }

  /** One durable call; in a stopped branch it records nothing and never settles. */
  #call(
    what: string,
    make: () => DurableCall,
    action: (call: DurableCall) => Parameters<LiveExecution["emit"]>[0],
  ): DurableTask<unknown> {
    if (!this.#enter(what)) return new DurableTask<unknown>();
    const call = make();
    this.#execution.emit(action(call));
    return call.task;
  }

  /** False in a stopped branch; throws outside a turn. */
  #enter(what: string): boolean {
    return this.#execution.enter(this.#scope, what);
  }

  /** The input as the definition's schema wants it, checked but not transformed: its handler does that. */
  #checked(definition: Named, input: unknown): unknown {
    if (typeof definition === "string" || definition.schema === undefined) return input;
    validate(definition.schema, input, `input of "${definition.name}"`);
    return input;
  }

  #encode(kind: PayloadKind, definition: Named, input: unknown): string {
    const name = nameOf(definition);
    try {
      return this.#execution.codec.encode(this.#checked(definition, input), kind, name);
    } catch (error) {
      if (DuroxideError.is(error)) throw error;
      throw refusedPayload(describePayload(kind, name), error);
    }
  }

  #decode(text: string): unknown {
    return this.#execution.codec.decode(text);
  }

  #parse(channel: Named, text: string): unknown {
    return validated(channel, this.#decode(text));
  }
}

/** What the channel's schema makes of a value from the store. */
function validated(channel: Named, value: unknown): unknown {
  if (typeof channel === "string" || channel.schema === undefined) return value;
  return validateStored(channel.schema, value, `"${channel.name}"`);
}

/** As it will be stored: a lone surrogate would come back from history as another character. */
function nameOf(named: Named): string {
  return (typeof named === "string" ? named : named.name).toWellFormed();
}
