/** A history with one line for each step: when it was scheduled, and what became of it. */
import type {
  ActivityAttempt,
  ActivityStep,
  HistoryEvent,
  InstanceTimeline,
  PayloadCodec,
  Step,
} from "@duroxide-ts/core";
import { timelineOf } from "@duroxide-ts/core/client";
import type { Terminal } from "../terminal/terminal.ts";
import { safeText } from "../text/safe-text.ts";
import { exactTime, span } from "../text/times.ts";
import { failureLine } from "./failure-lines.ts";
import { labelText } from "./label-text.ts";
import { payloadLine } from "./payload.ts";
import { fit } from "./table.ts";

interface Line {
  readonly id: number;
  readonly atMs: number;
  readonly text: string;
}

export function compactLines(
  events: readonly HistoryEvent[],
  codec: PayloadCodec | undefined,
  terminal: Terminal,
): readonly string[] {
  const timeline = timelineOf(events);
  if (timeline === undefined) return [];
  const lines = [
    {
      id: 1,
      atMs: timeline.startedAtMs,
      text: `Started ${timeline.orchestrationName} ${timeline.orchestrationVersion}`,
    },
    ...timeline.steps.flatMap((step) => stepLines(step, codec)),
    ...endLines(timeline, codec, events),
  ];
  return lines
    .sort((a, b) => a.id - b.id)
    .map(({ id, atMs, text }) => {
      const head = `${String(id).padStart(5)}  ${exactTime(atMs)}  `;
      return terminal.style("dim", head) + fit(safeText(text), terminal, head.length);
    });
}

function stepLines(step: Step, codec: PayloadCodec | undefined): readonly Line[] {
  if (step.kind === "activity") return attemptLines(step, codec);
  const ended =
    step.endedAtMs === undefined
      ? ""
      : ` -> ${step.outcome} after ${span(step.endedAtMs - step.scheduledAtMs)}`;
  return [{ id: step.id, atMs: step.scheduledAtMs, text: `${titleOf(step)}${labelText(step)}${ended}` }];
}

function titleOf(step: Exclude<Step, ActivityStep>): string {
  switch (step.kind) {
    case "timer":
      return `Timer until ${exactTime(step.dueAtMs)}`;
    case "child":
      return `Child ${step.name} ${step.childInstanceId}`;
    case "event":
      return `Wait for event "${step.name}"`;
    case "queue":
      return `Read of queue "${step.name}"`;
    case "system":
      return `System call ${step.name}`;
    case "detached":
      return `Start ${step.name} ${step.startedInstanceId}`;
    case "message":
      return `Send ${step.channel} "${step.name}" ${step.toInstanceId}`;
    case "question":
      return `Question "${step.name}" ${step.messageId}`;
  }
}

function attemptLines(step: ActivityStep, codec: PayloadCodec | undefined): readonly Line[] {
  const { attempts, maxAttempts } = step;
  const called = `Activity ${step.name}${labelText(step)}`;
  return attempts.map((attempt) => {
    const of = maxAttempts === undefined ? "" : ` of ${maxAttempts}`;
    const which =
      attempts.length === 1 && attempt.outcome === "completed" ? "" : `  attempt ${attempt.number}${of}`;
    return {
      id: attempt.id,
      atMs: attempt.scheduledAtMs,
      text: `${called}${outcomeOf(attempt, codec)}${which}${ranOf(attempt)}`,
    };
  });
}

function outcomeOf(
  { outcome, scheduledAtMs, endedAtMs, failure, result }: ActivityAttempt,
  codec: PayloadCodec | undefined,
): string {
  if (endedAtMs === undefined) return "";
  const why = failure === undefined ? "" : `: ${failureLine(failure)}`;
  const what = result === undefined ? "" : ` ${payloadLine(result, codec, 60)}`;
  return ` -> ${outcome} after ${span(endedAtMs - scheduledAtMs)}${why}${what}`;
}

function ranOf({ ran, scheduledAtMs }: ActivityAttempt): string {
  if (ran === undefined) return "";
  return `  (began +${span(Math.max(0, ran.startedAtMs - scheduledAtMs))}, ${ran.workerId})`;
}

function endLines(
  timeline: InstanceTimeline,
  codec: PayloadCodec | undefined,
  events: readonly HistoryEvent[],
): readonly Line[] {
  const last = events.at(-1);
  const { endedAtMs: atMs, output, failure, status } = timeline;
  if (atMs === undefined || last === undefined) return [];
  const why = failure === undefined ? "" : `: ${failureLine(failure)}`;
  const what = output === undefined ? "" : ` ${payloadLine(output, codec, 120)}`;
  return [{ id: Number(last.event_id), atMs, text: `${status}${why}${what}` }];
}
