/** `scheduleTimer` (runtime-semantics §2.3). Its deadline comes from the clock, so deadlines are not compared. */
import { sourceOf } from "./answers.ts";
import type { Content } from "./content.ts";
import { type Answer, type CallKind, callKind } from "./kind.ts";

export interface TimerRequest extends Content {
  readonly fireAtMs: number;
}

const FIRED: Answer<"TimerFired", "TimerFired"> = {
  message: "TimerFired",
  event: "TimerFired",
  source: sourceOf,
  payload: ({ fire_at_ms }) => ({ fire_at_ms }),
  settle: (call) => call.succeed(""),
};

const NOTHING: Content = {};

export const TIMER: CallKind<TimerRequest, "TimerCreated"> = callKind({
  name: "timer",
  schedules: "TimerCreated",
  toEvent: ({ fireAtMs }) => ({ fire_at_ms: fireAtMs }),
  recorded: () => NOTHING,
  describe: () => "scheduleTimer",
  message: ({ fireAtMs }, id, { instanceId, executionId }) => ({
    kind: "TimerFired",
    instance: instanceId,
    execution_id: executionId,
    id,
    fire_at_ms: fireAtMs,
  }),
  answers: [FIRED],
  completion: "timer",
});
