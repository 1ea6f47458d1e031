/**
 * Calls the handler of an orchestration. With a delayed start (docs/decisions/delayed-starts.md) a timer comes first, which
 * is a call like those of the code: so cancellation, suspension, replay, retry and rewind need no rule of their own.
 */
import type { EventOf } from "../../wire/event.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import { NO_RESULT } from "../calls/durable-call.ts";
import type { Scope } from "../calls/scope.ts";
import { TIMER } from "../calls/timer.ts";
import { runHandler } from "./handler.ts";
import { decodedInput } from "./program.ts";
import type { Begin, Recorder, RunningCode } from "./recorder.ts";

type Started = EventOf<"OrchestrationStarted">;

/** Returns what the handler returns; a promise of its end where the start is delayed. */
export function startCode(
  live: RunningCode & Recorder,
  scope: Scope,
  begin: Begin,
  { input, start_at_ms, timestamp_ms }: Started,
): unknown {
  const { identity, surroundings } = live;
  const { program } = identity;
  const run = (): unknown => {
    const decoded = decodedInput(program, surroundings.codec, input);
    return program.handler(begin(live, live, scope), decoded);
  };
  if (start_at_ms === undefined || start_at_ms <= timestamp_ms) return run();
  const request = { fireAtMs: saturatedNumber(start_at_ms), purpose: undefined, label: "start" };
  const { task } = live.ask(TIMER, request, scope, NO_RESULT);
  return task.then(() => runHandler(run));
}
