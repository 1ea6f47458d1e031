/** The calls that a worker runs: activities, steps, and the calls of the runtime itself. */
import { checkNoSession, storedLabel } from "../../define/call-options.ts";
import type { ActivityOptions, StepHandler, StepOptions } from "../../define/durable-call-options.ts";
import { MAX_TAG_BYTES } from "../../define/limits.ts";
import { type Named, nameOf } from "../../define/named.ts";
import { LimitExceededError } from "../../errors/duroxide-error.ts";
import { STEP_TAG } from "../../wire/known-code.ts";
import { exceedsUtf8, utf8Bytes } from "../../wire/utf8.ts";
import { ACTIVITY, type ActivityRequest, type Addressed } from "../calls/activity.ts";
import { failureOfActivity } from "../calls/activity-failure.ts";
import type { Attempt } from "../calls/attempt.ts";
import type { CallAnswers } from "../calls/durable-call.ts";
import type { DurableTask } from "../calls/durable-task.ts";
import type { CallKind } from "../calls/kind.ts";
import type { RunningCode } from "../code/recorder.ts";
import { decodeResult, encodeInput } from "./payloads.ts";

/** The running code, and what makes a call in its branch. */
export interface Caller {
  readonly code: RunningCode;
  ask(
    what: string,
    kind: CallKind<ActivityRequest, "ActivityScheduled">,
    request: ActivityRequest,
    answers: CallAnswers,
  ): DurableTask<unknown>;
}

export function callActivity(
  caller: Caller,
  activity: Named,
  input: unknown,
  options: ActivityOptions,
  attempt?: Attempt,
): DurableTask<unknown> {
  const { session, tag, priority } = options;
  const { code } = caller;
  const name = nameOf("scheduleActivity", activity);
  if (tag !== undefined && exceedsUtf8(tag, MAX_TAG_BYTES)) {
    throw new LimitExceededError(
      `Activity '${name}' tag size (${utf8Bytes(tag)} bytes) exceeds limit (${MAX_TAG_BYTES} bytes)`,
    );
  }
  const limit = options.limit ?? limitOf(code, activity);
  if (session !== undefined && limit !== undefined) checkNoSession("scheduleActivity", session);
  const encoded = encodeInput(code, "activity-input", activity, name, input);
  const addressed = { session, tag, limit, priority, label: storedLabel(options), attempt };
  return callByName(caller, name, encoded, (text) => decodeResult(code, activity, text), addressed);
}

/** The key of the definition; for a call by name, of the activity that is registered here. */
function limitOf({ surroundings }: RunningCode, activity: Named): string | undefined {
  return typeof activity === "string" ? surroundings.limitOfActivity?.(activity) : activity.limit;
}

export function callStep(
  caller: Caller,
  name: string,
  step: StepHandler,
  options: StepOptions,
  attempt?: Attempt,
): DurableTask<unknown> {
  const { session, limit, priority } = options;
  const label = storedLabel(options);
  return caller.ask(
    `run("${name}")`,
    ACTIVITY,
    { name, input: "", session, tag: STEP_TAG, limit, priority, attempt, label, isStep: true },
    {
      decode: (text) => caller.code.surroundings.codec.decode(text),
      failure: (details) => failureOfActivity(name, details),
      step,
    },
  );
}

export function callByName(
  caller: Caller,
  name: string,
  input: string,
  decode: (text: string) => unknown,
  { session, tag, limit, priority, label, attempt }: Addressed = {},
): DurableTask<unknown> {
  return caller.ask(
    `scheduleActivity("${name}")`,
    ACTIVITY,
    { name, input, session, tag, limit, priority, attempt, label },
    { decode, failure: (details) => failureOfActivity(name, details) },
  );
}
