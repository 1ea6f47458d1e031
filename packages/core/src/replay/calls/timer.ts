/**
 * `scheduleTimer` (runtime-semantics §2.3). Its deadline comes from the clock, so deadlines are not compared. History does
 * not record that a timer was dropped: the commit removes its message, and a message that is there settles nothing.
 */
import type { EventPayloads } from "../../wire/event.ts";
import { sourceOf } from "./answers.ts";
import type { Attempt } from "./attempt.ts";
import type { Content } from "./content.ts";
import { type Answer, type CallKind, callKind } from "./kind.ts";

/** A pause after an attempt that failed, the time limit of an attempt, or that of its wait for a worker. */
export interface TimerPurpose {
  readonly is: "pause" | "limit" | "queue";
  readonly attempt: Attempt;
}

export interface TimerRequest extends Content {
  readonly fireAtMs: number;
  /** Purpose of the timer, if it belongs to a call with retries or limits. Recorded, and never compared. */
  readonly purpose: TimerPurpose | undefined;
}

/** The timer that limits an attempt, as a version before recorded it directly after the attempt. */
export const OLD_LIMIT: TimerRequest = { fireAtMs: 0, purpose: undefined, isNext: true };

const FIRED: Answer<"TimerFired", "TimerFired"> = {
  message: "TimerFired",
  event: "TimerFired",
  source: sourceOf,
  payload: ({ fire_at_ms }) => ({ fire_at_ms }),
  settle: (call) => call.succeed(""),
};

const NOTHING: Content = {};

/** The attempt has its event by now, because it was made before its timer. */
function marksOf(
  purpose: TimerPurpose | undefined,
): Pick<EventPayloads["TimerCreated"], "pause_after" | "limit_of" | "queue_limit_of"> {
  const id = purpose?.attempt.eventId;
  if (id === undefined) return {};
  if (purpose?.is === "queue") return { queue_limit_of: id };
  return purpose?.is === "pause" ? { pause_after: id } : { limit_of: id };
}

export const TIMER: CallKind<TimerRequest, "TimerCreated"> = callKind({
  name: "timer",
  schedules: "TimerCreated",
  toEvent: ({ fireAtMs, purpose }) => ({ fire_at_ms: fireAtMs, ...marksOf(purpose) }),
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
  drop: { plural: "timers", removes: "timer" },
  completion: "timer",
});
