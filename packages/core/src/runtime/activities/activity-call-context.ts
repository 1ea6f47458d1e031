/** The context of one delivery of an activity. */

import { deliveryOf } from "../../contract/delivery.ts";
import type { FetchedWork } from "../../contract/provider.ts";
import type { ActivityContext } from "../../define/activity-context.ts";
import { type ContextLog, contextLog, joined } from "../../define/logger.ts";
import type { Progress } from "../../define/progress.ts";
import type { NamedStream, StepStream } from "../../define/stream.ts";
import type { U64 } from "../../wire/integer.ts";
import type { ActivityExecute } from "../../wire/work-item.ts";
import type { RuntimeSettings } from "../options/options.ts";
import type { RunningActivity } from "../running/running-activities.ts";
import type { RunLimit } from "./run-limit.ts";
import { StepWrites } from "./step-writes.ts";

/** One delivery of an activity to a slot. */
export interface ActivityCall {
  readonly settings: RuntimeSettings;
  readonly fetched: FetchedWork;
  readonly workerId: string;
  readonly run: RunningActivity;
}

/** Makes what a handler may read when it reads it, by getters of the class: those of an object literal take 2 µs. */
export class ActivityCallContext implements ActivityContext {
  readonly instanceId: string;
  readonly executionId: number;
  readonly orchestrationName: string | undefined;
  readonly orchestrationVersion: string | undefined;
  readonly orchestration: ActivityContext["orchestration"];
  readonly activityName: string;
  readonly workerId: string;
  readonly sessionId: string | undefined;
  readonly tag: string | undefined;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly callKey: string;
  readonly lastProgress: Progress | undefined;
  readonly #call: ActivityCall;
  readonly #limit: RunLimit | undefined;
  #signal: AbortSignal | undefined;
  #log: ContextLog | undefined;
  #writes: StepWrites | undefined;

  constructor(call: ActivityCall, limit: RunLimit | undefined, lastProgress?: Progress) {
    this.lastProgress = lastProgress;
    const { settings, fetched, workerId } = call;
    const { item, orchestration } = fetched;
    const key = keyOf(item, item.id);
    this.instanceId = item.instance;
    this.executionId = Number(item.execution_id);
    this.orchestrationName = orchestration?.name;
    this.orchestrationVersion = orchestration?.version;
    this.orchestration = async () => orchestration ?? (await readOrchestration(settings, item));
    this.activityName = item.name;
    this.workerId = workerId;
    this.sessionId = item.session_id;
    this.tag = item.tag;
    this.attempt = deliveryOf(fetched);
    this.idempotencyKey = key;
    this.callKey = item.retry_of === undefined ? key : keyOf(item, item.retry_of);
    this.#call = call;
    this.#limit = limit;
  }

  get signal(): AbortSignal {
    const { signal } = this.#call.run.cancellation;
    this.#signal ??= this.#limit?.signalWith(signal) ?? signal;
    return this.#signal;
  }

  get client(): ActivityContext["client"] {
    return this.#call.settings.client();
  }

  get log(): ContextLog {
    const { settings, fetched } = this.#call;
    this.#log ??= logOf(settings, fetched.item, this.workerId);
    return this.#log;
  }

  stream(stream: NamedStream<never>): StepStream<unknown> {
    return this.#written.streams.stream(stream);
  }

  progress(value: Progress): void {
    this.#written.progress.report(value);
  }

  /** Made by the first write, because most activities have none. */
  get #written(): StepWrites {
    const writes = this.#writes ?? new StepWrites(this.#call);
    this.#writes = writes;
    this.#call.run.endWrites ??= () => writes.end();
    return writes;
  }
}

function logOf({ logger }: RuntimeSettings, item: ActivityExecute, workerId: string): ContextLog {
  const identity = {
    instance_id: item.instance,
    execution_id: item.execution_id,
    activity_name: item.name,
    activity_id: item.id,
    worker_id: workerId,
  };
  return contextLog((level, fields, message) => logger[level](joined(identity, fields), message));
}

/**
 * The rule of the keys (docs/decisions/activities.md): instance, run id, execution and schedule id of the call. Only the
 * work item decides, so every delivery to every process has the same key. An activity that an operator retries may
 * keep the execution of an earlier one. Rust and older versions draw no run id, and it is left out.
 */
function keyOf(
  { instance, run_id, execution_id, key_execution = execution_id }: ActivityExecute,
  id: U64,
): string {
  const run = run_id === undefined ? "" : `${run_id}:`;
  return `${instance}:${run}${key_execution}:${id}`;
}

/** Reads the orchestration for stores that do not send its name with the activity, and for work items of Rust. */
async function readOrchestration(
  { provider }: RuntimeSettings,
  { instance, execution_id }: ActivityExecute,
): Promise<{ readonly name: string; readonly version: string }> {
  const [started] = await provider.readHistory(instance, Number(execution_id));
  if (started?.type === "OrchestrationStarted") return { name: started.name, version: started.version };
  return { name: "unknown", version: "unknown" };
}
