/** Starts and messages that orchestration code sends without an answer, the start of its next execution among them. */
import { checkContinueAsNewOptions, checkDetachedOptions } from "../../define/call-options.ts";
import type { ContinueAsNewOptions, DetachedOptions } from "../../define/durable-call-options.ts";
import { checkInstanceId, checkRootId } from "../../define/instance-id.ts";
import { calleeName, type Named } from "../../define/named.ts";
import { startMs } from "../../define/timer-time.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { ENQUEUED_PREFIX, KEPT_PREFIX, RAISED_PREFIX } from "../../wire/sent-message.ts";
import type { DetachedRequest } from "../calls/detached.ts";
import type { Scope } from "../calls/scope.ts";
import type { RunningCode } from "../code/recorder.ts";
import { inherited } from "./inherited-tags.ts";
import { encodeInput } from "./payloads.ts";

export function detachedStart(
  code: RunningCode,
  orchestration: Named,
  options: DetachedOptions<unknown>,
): DetachedRequest {
  checkDetachedOptions(options);
  const { instanceId: instance, input, version, after } = options;
  const startAtMs = after === undefined ? undefined : startMs("startOrchestration: after", after, code.nowMs);
  const name = calleeName("startOrchestration", "orchestration", orchestration);
  checkRootId(instance);
  return {
    name,
    instance,
    input: encodeInput(code, "orchestration-input", orchestration, name, input),
    version,
    tags: inherited(code, options),
    startAtMs,
  };
}

/** A kept event is a queue of its name (docs/decisions/messages.md). */
export function raisedEvent(
  code: RunningCode,
  instance: string,
  event: Named,
  data: unknown,
): DetachedRequest {
  checkInstanceId(instance);
  const name = calleeName("raise", "event", event);
  const prefix = typeof event !== "string" && event.keep === true ? KEPT_PREFIX : RAISED_PREFIX;
  const input = encodeInput(code, "raised-event", event, name, data);
  return { name: prefix + name, instance, input, version: undefined };
}

export function queuedMessage(
  code: RunningCode,
  instance: string,
  queue: Named,
  message: unknown,
): DetachedRequest {
  checkInstanceId(instance);
  const name = calleeName("enqueue", "queue", queue);
  const input = encodeInput(code, "queue-message", queue, name, message);
  return { name: ENQUEUED_PREFIX + name, instance, input, version: undefined };
}

export function nextExecution(
  { code, scope }: { readonly code: RunningCode; readonly scope: Scope },
  orchestration: Named,
  input: unknown,
  options: ContinueAsNewOptions,
): Parameters<RunningCode["continueAs"]>[0] {
  checkContinueAsNewOptions(options);
  if (code.questions.running.some((handler) => scope.within(handler)))
    throw new InvalidInputError(
      "continueAsNew: a handler of ctx.answer cannot continue as new, because its question would go there too; set a variable, and let the code continue",
    );
  const orchestrationName = calleeName("continueAsNew", "orchestration", orchestration);
  const encoded = encodeInput(code, "orchestration-input", orchestration, orchestrationName, input);
  return { orchestrationName, input: encoded, version: options.version };
}
