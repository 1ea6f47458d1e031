/**
 * Calls the handler of an orchestration. With a delayed start (docs/decisions/schedules.md) a timer comes first, with a
 * limit a wait for its permit (docs/decisions/limits.md); both are calls like those of the code: so cancellation,
 * suspension, replay, retry and rewind need no rule of their own.
 */
import type { EventOf } from "../../wire/event.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import { PERMIT_TAG } from "../../wire/known-code.ts";
import { ACTIVITY, type ActivityRequest } from "../calls/activity.ts";
import { NO_RESULT } from "../calls/durable-call.ts";
import type { Scope } from "../calls/scope.ts";
import { PERMIT } from "../calls/system-calls.ts";
import { runHandler } from "./handler.ts";
import { decodedInput } from "./program.ts";
import type { Begin, Recorder, RunningCode } from "./recorder.ts";

type Started = EventOf<"OrchestrationStarted">;

/** Returns what the handler returns; a promise of its end where the start is delayed. */
export function startCode(
  live: RunningCode & Recorder,
  scope: Scope,
  begin: Begin,
  started: Started,
): unknown {
  const { input, start_at_ms, timestamp_ms } = started;
  const { identity, surroundings } = live;
  const { program } = identity;
  const ctx = begin(live, live, scope);
  const run = (): unknown => program.handler(ctx, decodedInput(program, surroundings.codec, input));
  const permit = permitCall(started);
  const begins =
    permit === undefined
      ? run
      : (): unknown => live.ask(ACTIVITY, permit, scope, NO_RESULT).task.then(() => runHandler(run));
  if (start_at_ms === undefined || start_at_ms <= timestamp_ms) return begins();
  // A call of the context, so that the replay kit sees what it waits for.
  const due = ctx.scheduleTimer({ until: saturatedNumber(start_at_ms) }, { label: "start" });
  return due.then(() => runHandler(begins));
}

/** The call that the store answers when the limits of the instance let it begin (docs/decisions/limits.md). */
function permitCall({ limit, priority, has_permit }: Started): ActivityRequest | undefined {
  if (limit === undefined || has_permit === true) return undefined;
  return {
    name: PERMIT,
    input: "",
    session: undefined,
    tag: PERMIT_TAG,
    limit,
    priority: priority === undefined ? undefined : saturatedNumber(priority),
    attempt: undefined,
    label: "start",
  };
}
