/** The state of an instance, and a line about what it does. */
import type { InstanceFailure, InstanceSummary, InstanceTimeline, Wait } from "@duroxide-ts/core";
import { instanceState, runningState } from "@duroxide-ts/core/operate";
import { failureLine } from "../output/failure-lines.ts";
import { labelText } from "../output/label-text.ts";
import type { Style } from "../terminal/terminal.ts";
import { span } from "../text/times.ts";
import type { State } from "./filter-flags.ts";

export function stateOf(summary: InstanceSummary, timeline: InstanceTimeline | undefined): State {
  const state = instanceState(summary);
  return state === "running" && timeline !== undefined ? runningState(timeline) : state;
}

const STYLES: Readonly<Record<State, Style | undefined>> = {
  running: undefined,
  scheduled: "cyan",
  "waiting-for-limit": "cyan",
  waiting: "cyan",
  retrying: "yellow",
  cancelling: "dim",
  compensating: "yellow",
  blocked: "magenta",
  suspended: "magenta",
  completed: "green",
  failed: "red",
  cancelled: "dim",
  "clean-up-failed": "red",
};

export function styleOf(state: State): Style | undefined {
  return STYLES[state];
}

/** Says what it waits for, or why it does not go on; where it cleans up, since when and why. */
export function situation(
  summary: InstanceSummary,
  timeline: InstanceTimeline | undefined,
  nowMs: number,
): string {
  const text = standing(summary, timeline, nowMs);
  const { cancelRequested } = timeline ?? {};
  if (cancelRequested === undefined || summary.status !== "Running") return text;
  const { reason, atMs } = cancelRequested;
  return [`being cancelled for ${span(nowMs - atMs)}: ${reason}`, ...(text === "" ? [] : [text])].join(", ");
}

/** Says the same as `situation`, without a cancellation. */
export function standing(
  { suspended, blocked, failure, status, startsAtMs, limit }: InstanceSummary,
  timeline: InstanceTimeline | undefined,
  nowMs: number,
): string {
  if (status === "Failed" || status === "Cancelled") return failure === undefined ? "" : failureText(failure);
  if (suspended !== undefined && status !== "Completed")
    return `suspended${suspended.by === undefined ? "" : ` by ${suspended.by}`}: ${suspended.reason}`;
  if (blocked !== undefined) return `${blocked.reason}: ${blocked.detail}`;
  if (status === "Waiting") return `waiting for limit ${JSON.stringify(limit)}`;
  if (status === "Scheduled") return `start ${inTime(startsAtMs ?? nowMs, nowMs)}`;
  return (timeline?.waits ?? []).map((wait) => describeWait(wait, nowMs)).join(", ");
}

/** The message of a clean-up that failed says so itself. */
function failureText({ category, message }: InstanceFailure): string {
  return `${category === "clean-up-failed" ? "cancelled" : category}: ${message}`;
}

/** A text such as `activity charge [parcel b1] (attempt 2 of 5 in 4 s: declined)` or `timer in 2h05m`. */
export function describeWait(wait: Wait, nowMs: number): string {
  const { kind, name, dueAtMs, childInstanceId } = wait;
  const label = labelText(wait);
  switch (kind) {
    case "activity":
      return describeActivity(wait, nowMs);
    case "timer":
      return `timer${label} ${inTime(dueAtMs ?? nowMs, nowMs)}`;
    case "child":
      return `child ${childInstanceId ?? name}${label}`;
    case "event":
    case "queue":
      return `${kind} "${name}"${label}`;
    case "system":
      return `system call ${name}${label}`;
  }
}

function describeActivity(wait: Wait, nowMs: number): string {
  const { attempt = 1, maxAttempts, lastFailure, nextRetryAtMs } = wait;
  const called = `activity ${wait.name}${labelText(wait)}`;
  if (attempt === 1 && nextRetryAtMs === undefined) return called;
  const of = maxAttempts === undefined ? "" : ` of ${maxAttempts}`;
  const when = nextRetryAtMs === undefined ? "" : ` ${inTime(nextRetryAtMs, nowMs)}`;
  const why = lastFailure === undefined ? "" : `, last: ${failureLine(lastFailure)}`;
  return `${called} (attempt ${attempt}${of}${when}${why})`;
}

/** `in 4 s`, or `due for 4 s`. */
export function inTime(atMs: number, nowMs: number): string {
  return atMs > nowMs ? `in ${span(atMs - nowMs)}` : `due for ${span(nowMs - atMs)}`;
}
