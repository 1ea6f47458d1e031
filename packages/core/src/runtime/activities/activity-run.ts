/**
 * Calls an activity's handler and converts its result or error into an outcome. A handler cannot be interrupted: it gets a
 * signal, and after its grace period the slot no longer waits for it. Whatever it throws is an outcome, so the promise of
 * a handler never rejects.
 */
import { sleep } from "../../contract/clock.ts";
import { deliveryOf } from "../../contract/delivery.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import type { AnyActivity } from "../../define/definition-types.ts";
import type { Progress } from "../../define/progress.ts";
import { validateStored } from "../../define/standard-schema.ts";
import { thrownFailure } from "../../errors/failure-details.ts";
import type { ObservedActivity } from "../../observe/observed-activity.ts";
import type { Ran } from "../../wire/event.ts";
import type { ActivityOutcome } from "../../wire/work-item.ts";
import type { Cancellation } from "../running/cancellation.ts";
import { type ActivityCall, ActivityCallContext } from "./activity-call-context.ts";
import { RunLimit } from "./run-limit.ts";
import { runSystemCall } from "./system-activities.ts";

/** How long a cancelled activity may continue before its slot is freed. */
const CANCELLATION_GRACE_MS = 10_000;

export interface ActivityRun extends ActivityCall {
  /** Absent for the runtime's own calls. */
  readonly definition: AnyActivity | undefined;
  readonly observed: ObservedActivity;
  readonly lastProgress: Progress | undefined;
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
    if (outcome === CANCELLED) return withinGrace(delivery, finished);
    return run.endWrites === undefined ? outcome : await withWrites(delivery, outcome, run.endWrites);
  } finally {
    limit?.end();
  }
}

/** A value that will never be stored fails the activity. One whose lock is lost has no outcome that is stored. */
async function withWrites(
  { observed, run }: ActivityRun,
  outcome: ActivityOutcome,
  end: () => Promise<void>,
): Promise<ActivityOutcome> {
  try {
    await end();
    return outcome;
  } catch (error) {
    const isLost = ProviderError.is(error) && (error.code === "lock-lost" || run.lock.isLost);
    if (outcome.kind === "ActivityFailed" || isLost) return outcome;
    observed.threw(error);
    const { instance, execution_id, id, ran } = outcome;
    const details = thrownFailure("ActivityFailed", error);
    return { kind: "ActivityFailed", instance, execution_id, id, details, ...(ran !== undefined && { ran }) };
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
  const { settings, fetched, observed, lastProgress } = delivery;
  const { input: text, step_of: stepOf } = fetched.item;
  const decoded = stepOf === undefined ? settings.codec.decode(text) : undefined;
  const input: unknown =
    schema === undefined ? decoded : validateStored(schema, decoded, `input of activity "${name}"`);
  return observed.handle(() => handler(new ActivityCallContext(delivery, limit, lastProgress), input));
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
