/**
 * Calls an activity's handler and converts its result or error into an outcome. A handler cannot be interrupted: it gets a
 * signal, and after its grace period the slot no longer waits for it. Whatever it throws is an outcome, so the promise of
 * a handler never rejects.
 */
import { sleep } from "../../contract/clock.ts";
import { deliveryOf } from "../../contract/delivery.ts";
import type { FetchedWork } from "../../contract/provider.ts";
import type { ActivityContext } from "../../define/activity-context.ts";
import type { AnyActivity } from "../../define/definition-types.ts";
import { type ContextLog, contextLog, joined } from "../../define/logger.ts";
import { validateStored } from "../../define/standard-schema.ts";
import { thrownFailure } from "../../errors/failure-details.ts";
import type { ObservedActivity } from "../../observe/observed-activity.ts";
import type { Ran } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import type { ActivityExecute, ActivityOutcome } from "../../wire/work-item.ts";
import type { RuntimeSettings } from "../options/options.ts";
import type { Cancellation } from "../running/cancellation.ts";
import type { RunningActivity } from "../running/running-activities.ts";
import { RunLimit } from "./run-limit.ts";
import { runSystemCall } from "./system-activities.ts";

/** How long a cancelled activity may continue before its slot is freed. */
const CANCELLATION_GRACE_MS = 10_000;

export interface ActivityRun {
  readonly settings: RuntimeSettings;
  readonly fetched: FetchedWork;
  /** Absent for the runtime's own calls. */
  readonly definition: AnyActivity | undefined;
  readonly workerId: string;
  readonly run: RunningActivity;
  readonly observed: ObservedActivity;
}

/** Resolves with the outcome; `undefined` when a cancelled handler did not end within its grace period. */
export async function runActivity(delivery: ActivityRun): Promise<ActivityOutcome | undefined> {
  const { run, settings, fetched } = delivery;
  const limit = RunLimit.of(settings.clock, fetched.item);
  const ran = ranHere(delivery);
  const finished = callHandler(delivery, limit, ran);
  const timely =
    limit === undefined ? finished : limit.within(finished, () => timedOut(delivery, limit, ran));
  try {
    const outcome = await untilCancelled(timely, run.cancellation);
    return outcome === CANCELLED ? withinGrace(delivery, finished) : outcome;
  } finally {
    limit?.end();
  }
}

/** The handler may go on; its slot is free. */
function timedOut(
  { fetched, settings, observed }: ActivityRun,
  { error, details }: RunLimit,
  ran: ReturnType<typeof ranHere>,
): ActivityOutcome {
  const { instance, execution_id, id, name, timeout_ms } = fetched.item;
  observed.threw(error);
  settings.logger.debug(
    { event: "activity_timed_out", instance_id: instance, activity_name: name, timeout_ms },
    "a run of an activity has reached its limit; its signal aborts, and its result is ignored",
  );
  return { kind: "ActivityFailed", instance, execution_id, id, details, ...ran };
}

async function callHandler(
  delivery: ActivityRun,
  limit: RunLimit | undefined,
  ran: ReturnType<typeof ranHere>,
): Promise<ActivityOutcome> {
  const { settings, definition, fetched, observed, run } = delivery;
  const { name, instance, execution_id, id, input } = fetched.item;
  run.handlerBegan();
  try {
    const result =
      definition === undefined
        ? await runSystemCall(settings, name, input)
        : settings.codec.encode(
            await callDefinition(delivery, definition, limit),
            "activity-result",
            definition.name,
          );
    return { kind: "ActivityCompleted", instance, execution_id, id, result, ...ran };
  } catch (error) {
    observed.threw(error);
    const details = thrownFailure("ActivityFailed", error);
    return { kind: "ActivityFailed", instance, execution_id, id, details, ...ran };
  } finally {
    run.handlerEnded();
  }
}

/** The record of this run in history; none for system calls, which take no time. */
function ranHere({
  settings,
  definition,
  fetched,
  workerId,
}: ActivityRun): { readonly ran?: Ran } | undefined {
  if (definition === undefined) return undefined;
  return {
    ran: { started_at_ms: settings.clock.now(), worker_id: workerId, attempt: deliveryOf(fetched) },
  };
}

/** The value of the handler, or a promise of it. */
function callDefinition(
  delivery: ActivityRun,
  { schema, name, handler }: AnyActivity,
  limit: RunLimit | undefined,
): unknown {
  const { settings, fetched, observed } = delivery;
  const { input: text, step_of: stepOf } = fetched.item;
  const decoded = stepOf === undefined ? settings.codec.decode(text) : undefined;
  const input: unknown =
    schema === undefined ? decoded : validateStored(schema, decoded, `input of activity "${name}"`);
  return observed.handle(() => handler(activityContext(delivery, limit), input));
}

function activityContext(
  { settings, fetched, workerId, run }: ActivityRun,
  limit: RunLimit | undefined,
): ActivityContext {
  const { item, orchestration } = fetched;
  let signal: AbortSignal | undefined;
  let log: ContextLog | undefined;
  const key = keyOf(item, item.id);
  return {
    instanceId: item.instance,
    executionId: Number(item.execution_id),
    orchestrationName: orchestration?.name,
    orchestrationVersion: orchestration?.version,
    orchestration: async () => orchestration ?? (await readOrchestration(settings, item)),
    activityName: item.name,
    workerId,
    sessionId: item.session_id,
    tag: item.tag,
    attempt: deliveryOf(fetched),
    idempotencyKey: key,
    callKey: item.retry_of === undefined ? key : keyOf(item, item.retry_of),
    get signal() {
      signal ??= limit?.signalWith(run.cancellation.signal) ?? run.cancellation.signal;
      return signal;
    },
    get client() {
      return settings.client();
    },
    get log() {
      log ??= logOf(settings, item, workerId);
      return log;
    },
  };
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
 * The rule of the keys (docs/decisions/retries.md): instance, run id, execution and schedule id of the call. Only the
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

const CANCELLED = Symbol("cancelled");

/** Whichever comes first. The handler continues either way, and `finished` still has its outcome. */
function untilCancelled<T>(promise: Promise<T>, cancellation: Cancellation): Promise<T | typeof CANCELLED> {
  return new Promise((resolve, reject) => {
    cancellation.whenRequested(() => resolve(CANCELLED));
    promise.then(resolve, reject);
  });
}

/** An outcome within the grace period is not stored either, but the slot is free sooner. */
async function withinGrace(
  { settings, fetched }: ActivityRun,
  finished: Promise<ActivityOutcome>,
): Promise<ActivityOutcome | undefined> {
  const ended = new AbortController();
  const { clock, logger } = settings;
  const { instance, name } = fetched.item;
  const fields = { instance_id: instance, activity_name: name, grace_ms: CANCELLATION_GRACE_MS };
  logger.info({ event: "activity_cancel_requested", ...fields }, "the activity is asked to stop");
  const grace = sleep(clock, CANCELLATION_GRACE_MS, ended.signal).then(() => undefined);
  const outcome = await Promise.race([finished, grace]);
  ended.abort();
  if (outcome === undefined) {
    logger.warn(
      { event: "activity_grace_exceeded", ...fields },
      "a cancelled activity did not end within its grace period; its slot is freed, its code may still run",
    );
  }
  return outcome;
}
