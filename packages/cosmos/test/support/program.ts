/**
 * The orchestration of the crash tests: a pure function from a fetched turn to its commit. It notes every message that
 * it gets in its history, so that histories tell what was lost or came twice, and carries out the plans in them.
 */
import type { HistoryEvent } from "@duroxide-ts/core";
import type {
  ActivityExecute,
  ActivityId,
  ActivityOutcome,
  ErrorDetails,
  EventPayloads,
  EventType,
  ExecutionMetadata,
  FetchedOrchestration,
  FetchedWork,
  OrchestrationAck,
  OrchestratorItem,
  TimerId,
  U64,
  WorkItemOf,
} from "@duroxide-ts/core/stores";
import { displayMessage, isTerminal } from "@duroxide-ts/core/stores";
import {
  activity,
  continueItem,
  eventOf,
  raised,
  startItem,
  turnOf,
} from "@duroxide-ts/provider-tests/building-blocks";
import type { ActivityInput, ChildInput, Plan, PlannedActivity, PlannedChild } from "./plan.ts";

/** The commit that the program answers a turn with; the same for every process that asks. */
export function commitOf(fetched: FetchedOrchestration, nowMs: number): OrchestrationAck {
  const turn = new Turn(fetched);
  // What was returned comes before the start of the execution that is to read it.
  const isNext = ({ kind }: OrchestratorItem): boolean => kind === "ContinueAsNew";
  const { messages } = fetched.item;
  for (const message of [...messages.filter(isNext), ...messages.filter((each) => !isNext(each))])
    turn.take(message);
  for (const each of turn.plans) turn.carryOut(each, nowMs);
  return turnOf(fetched, {
    executionId: turn.executionId,
    historyDelta: turn.events,
    workerItems: turn.activities,
    orchestratorItems: turn.messages,
    ...(turn.returned.length > 0 && { returnedMessages: turn.returned }),
    cancelledActivities: turn.cancelled,
    ...(turn.dropped.length > 0 && { droppedTimers: turn.dropped }),
    metadata: turn.metadata,
  });
}

/** How a worker ends an activity. */
export function outcomeOf({ item }: FetchedWork): ActivityOutcome {
  const { label, replyTo } = JSON.parse(item.input) as ActivityInput;
  const { execution_id, id } = item;
  return { kind: "ActivityCompleted", instance: replyTo, execution_id, id, result: label };
}

/** How a worker fails an activity. */
export function failureOf({ item }: FetchedWork): ActivityOutcome {
  const { replyTo } = JSON.parse(item.input) as ActivityInput;
  const { execution_id, id } = item;
  const details = { Application: { kind: "ActivityFailed", message: "no", retryable: false } } as const;
  return { kind: "ActivityFailed", instance: replyTo, execution_id, id, details };
}

const HOUR_MS = 3_600_000;

class Turn {
  readonly plans: Plan[] = [];
  readonly events: HistoryEvent[] = [];
  readonly activities: ActivityExecute[] = [];
  readonly messages: OrchestratorItem[] = [];
  readonly returned: WorkItemOf<"QueueMessage">[] = [];
  readonly cancelled: ActivityId[] = [];
  readonly dropped: TimerId[] = [];
  metadata: ExecutionMetadata = {};
  executionId: number;
  readonly #instanceId: string;
  #history: readonly HistoryEvent[];

  constructor({ item }: FetchedOrchestration) {
    this.#instanceId = item.instanceId;
    this.#history = item.history;
    this.executionId = item.executionId;
  }

  take(message: OrchestratorItem): void {
    switch (message.kind) {
      case "StartOrchestration":
        this.#begin(message);
        break;
      case "ContinueAsNew":
        this.#beginAgain();
        break;
      case "ExternalRaised":
        // One that is sent again from a history has no data.
        if (message.name === "plan" && message.data !== "") this.plans.push(JSON.parse(message.data) as Plan);
        this.#note("ExternalEvent", {
          name: message.name,
          data: message.name === "plan" ? "" : message.data,
        });
        break;
      case "ActivityCompleted":
        if (!this.#isCurrent(message.execution_id)) break;
        this.#note("ActivityCompleted", { result: message.result }, Number(message.id));
        this.#planAfter(Number(message.id));
        break;
      case "ActivityFailed":
        if (!this.#isCurrent(message.execution_id)) break;
        this.#note("ActivityFailed", { details: message.details }, Number(message.id));
        this.#fail(message.details);
        break;
      case "SubOrchCompleted":
        if (!this.#isCurrent(message.parent_execution_id)) break;
        this.#note("SubOrchestrationCompleted", { result: message.result }, Number(message.parent_id));
        this.#planAfter(Number(message.parent_id));
        break;
      case "SubOrchFailed":
        if (!this.#isCurrent(message.parent_execution_id)) break;
        this.#note("SubOrchestrationFailed", { details: message.details }, Number(message.parent_id));
        this.#fail(message.details);
        break;
      case "TimerFired":
        // One of an earlier execution begins the first turn of one that was begun by hand.
        if (!this.#isCurrent(message.execution_id)) break;
        this.#note("TimerFired", { fire_at_ms: message.fire_at_ms }, Number(message.id));
        break;
      case "CancelInstance":
        if (this.#cleanUp === undefined) this.#note("ExternalEvent", { name: message.kind, data: "" });
        else this.#cancelInstance(message.reason, this.#cleanUp);
        break;
      default:
        this.#note("ExternalEvent", { name: message.kind, data: "" });
    }
  }

  carryOut(plan: Plan, nowMs: number): void {
    for (const each of plan.activities ?? []) this.#schedule(each);
    for (const child of plan.children ?? []) this.#startChild(child);
    for (const { to, name } of plan.messages ?? []) this.messages.push(raised(to, name));
    if (plan.timer === true) this.#sleepUntil(nowMs);
    // What the timers race with: a timer that loses leaves no trace.
    if (plan.timers !== undefined) this.#note("ExternalSubscribed", { name: "rival" });
    for (let timer = 0; timer < (plan.timers ?? 0); timer++) this.#sleepUntil(nowMs + HOUR_MS);
    if (plan.dropTimers === true) this.#dropTimers(nowMs);
    for (let key = 0; key < (plan.keys ?? 0); key++) {
      this.#note("KeyValueSet", { key: `key-${key}`, value: "set", last_updated_at_ms: nowMs });
    }
    for (const label of plan.cancel ?? []) this.#cancel(label);
    if (plan.continueAsNew === true) {
      this.#note("OrchestrationContinuedAsNew", { input: "{}" });
      this.messages.push(continueItem(this.#instanceId));
      for (const name of plan.returns ?? [])
        this.returned.push({ kind: "QueueMessage", instance: this.#instanceId, name, data: "{}" });
      this.metadata = { ...this.metadata, status: "ContinuedAsNew", output: "{}" };
    }
    if (plan.onCancel !== undefined) this.#register(plan.onCancel);
    if (plan.endCancelled === true) this.#endCancelled();
    if (plan.end === true) this.#end();
  }

  /** An answer to an earlier execution, or to one that has ended, is discarded, as runtimes do. */
  #isCurrent(executionId: U64): boolean {
    return Number(executionId) === this.executionId && !this.#all.some(isTerminal);
  }

  get #lastId(): number {
    return this.#history.length + this.events.length;
  }

  #note<T extends EventType>(type: T, payload: EventPayloads[T], source: number | null = null): void {
    const event = eventOf(type, this.#instanceId, this.#lastId + 1, payload, this.executionId);
    this.events.push({ ...event, source_event_id: source });
  }

  #begin(message: Extract<OrchestratorItem, { kind: "StartOrchestration" }>): void {
    if (this.#history.length > 0) {
      this.#note("ExternalEvent", { name: "started again", data: "" });
      return;
    }
    const { input, parent_instance, parent_id } = message;
    this.#note("OrchestrationStarted", { ...STARTED, input, parent_instance, parent_id });
    this.metadata = {
      orchestrationName: STARTED.name,
      orchestrationVersion: STARTED.version,
      ...(parent_instance !== null && { parentInstanceId: parent_instance }),
    };
    this.plans.push(JSON.parse(message.input) as Plan);
  }

  #beginAgain(): void {
    this.executionId++;
    this.#history = [];
    this.#note("OrchestrationStarted", STARTED);
  }

  #planAfter(eventId: number): void {
    const scheduled = this.#history.find(({ event_id }) => event_id === eventId);
    if (scheduled?.type !== "ActivityScheduled" && scheduled?.type !== "SubOrchestrationScheduled") return;
    const { afterwards } = JSON.parse(scheduled.input) as ActivityInput | ChildInput;
    if (afterwards !== undefined) this.plans.push(afterwards);
  }

  #sleepUntil(fireAtMs: number): void {
    this.#note("TimerCreated", { fire_at_ms: fireAtMs });
    const firing = { instance: this.#instanceId, execution_id: this.executionId, id: this.#lastId };
    this.messages.push({ kind: "TimerFired", ...firing, fire_at_ms: fireAtMs });
  }

  #dropTimers(nowMs: number): void {
    for (const event of this.#history) {
      if (event.type !== "TimerCreated" || event.fire_at_ms <= nowMs) continue;
      const { event_id, fire_at_ms } = event;
      const timer = { timerId: Number(event_id), fireAtMs: Number(fire_at_ms) };
      this.dropped.push({ executionId: this.executionId, ...timer });
    }
  }

  #schedule({ label, session, at = this.#instanceId, sizeBytes = 0, afterwards }: PlannedActivity): void {
    const input: ActivityInput = {
      label,
      replyTo: this.#instanceId,
      filling: "x".repeat(sizeBytes),
      ...(afterwards !== undefined && { afterwards }),
    };
    const text = JSON.stringify(input);
    this.#note("ActivityScheduled", { name: label, input: text });
    const more = { input: text, execution_id: this.executionId };
    const session_id = session === undefined ? {} : { session_id: session };
    this.activities.push(activity(at, this.#lastId, { ...more, ...session_id }));
  }

  #startChild({ id, plan = { end: true }, afterwards }: PlannedChild): void {
    const given: ChildInput = { ...plan, ...(afterwards !== undefined && { afterwards }) };
    const input = JSON.stringify(given);
    this.#note("SubOrchestrationScheduled", { name: STARTED.name, instance: id, input });
    const parent = { parent_instance: this.#instanceId, parent_id: this.#lastId };
    this.messages.push(startItem(id, { ...parent, input, orchestration: STARTED.name }));
  }

  #cancel(label: string): void {
    const scheduled = this.#history.find(
      (event) => event.type === "ActivityScheduled" && event.name === label,
    );
    const activityId = scheduled?.event_id;
    if (activityId === undefined) throw new Error(`there is no activity ${label} to cancel`);
    this.#note("ActivityCancelRequested", { reason: "not needed" }, Number(activityId));
    const executionId = this.executionId;
    this.cancelled.push({ instanceId: this.#instanceId, executionId, activityId: Number(activityId) });
  }

  #register(cleanUp: Plan): void {
    this.#note("ExternalEvent", { name: ON_CANCEL, data: JSON.stringify(cleanUp) });
    const last = this.events.pop();
    if (last !== undefined) this.events.push({ ...last, on_cancel: true });
  }

  get #all(): readonly HistoryEvent[] {
    return [...this.#history, ...this.events];
  }

  get #cleanUp(): Plan | undefined {
    const registered = this.#all.find((event) => event.type === "ExternalEvent" && event.name === ON_CANCEL);
    return registered?.type === "ExternalEvent" ? (JSON.parse(registered.data) as Plan) : undefined;
  }

  /** The first one begins the clean-up, one with another reason ends it. One that comes after the end changes nothing. */
  #cancelInstance(reason: string, cleanUp: Plan): void {
    if (this.#all.some(isTerminal)) return;
    const first = this.#all.find((event) => event.type === "OrchestrationCancelRequested");
    if (first?.type === "OrchestrationCancelRequested" && first.reason === reason) return;
    this.#note("OrchestrationCancelRequested", { reason });
    this.#dropOpenCalls();
    if (first === undefined) this.plans.push(cleanUp);
    else this.#endCancelled();
  }

  #dropOpenCalls(): void {
    const answered = new Set(this.#all.map(({ source_event_id }) => source_event_id));
    for (const event of this.#all.filter(({ event_id }) => !answered.has(event_id))) {
      if (event.type === "ActivityScheduled") this.#cancel(event.name);
      if (event.type !== "SubOrchestrationScheduled") continue;
      this.#note("SubOrchestrationCancelRequested", { reason: "parent" }, Number(event.event_id));
      this.messages.push({ kind: "CancelInstance", instance: event.instance, reason: "parent" });
    }
  }

  #endCancelled(): void {
    const asked = this.#all.find((event) => event.type === "OrchestrationCancelRequested");
    const reason = asked?.type === "OrchestrationCancelRequested" ? asked.reason : "";
    const details = {
      Application: { kind: { Cancelled: { reason } }, message: reason, retryable: false },
    } as const;
    this.#note("OrchestrationFailed", { details });
    this.metadata = { ...this.metadata, status: "Failed", output: `canceled: ${reason}` };
  }

  #end(): void {
    this.#note("OrchestrationCompleted", { output: "done" });
    this.metadata = { ...this.metadata, status: "Completed", output: "done" };
    const parent = this.#parent;
    if (parent !== undefined)
      this.messages.push({ kind: "SubOrchCompleted", ...parent, result: this.#instanceId });
  }

  /** A failed call fails the instance, which drops its other calls. */
  #fail(details: ErrorDetails): void {
    this.#dropOpenCalls();
    this.#note("OrchestrationFailed", { details });
    this.metadata = { ...this.metadata, status: "Failed", output: displayMessage(details) };
    const parent = this.#parent;
    if (parent !== undefined) this.messages.push({ kind: "SubOrchFailed", ...parent, details });
  }

  /** The call that waits for this instance. A child that was retried with its parent names its execution. */
  get #parent(): Waiting | undefined {
    const begun = this.#all.find((event) => event.type === "OrchestrationStarted");
    if (begun?.type !== "OrchestrationStarted" || begun.parent_instance === null) return undefined;
    const { parent_instance, parent_execution_id = 1, parent_id } = begun;
    return { parent_instance, parent_execution_id, parent_id: parent_id ?? 0 };
  }
}

/** The call of a parent that waits for the end of an instance. */
type Waiting = Pick<WorkItemOf<"SubOrchCompleted">, "parent_instance" | "parent_execution_id" | "parent_id">;

/** The event that has the clean-up of an instance. */
const ON_CANCEL = "on-cancel";

const STARTED = { name: "Planned", version: "1.0.0", input: "", parent_instance: null, parent_id: null };
