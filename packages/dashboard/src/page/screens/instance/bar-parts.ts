/** The parts of a bar: what ran, what waited for a worker, and the pauses between attempts. */
import type { Attempt, Bar } from "../../shapes/instance.ts";

export interface BarPart {
  readonly className: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export function barParts(bar: Bar, nowMs: number): BarPart[] {
  if (bar.attempts.length === 0) {
    const toMs = bar.endMs ?? nowMs;
    return [
      {
        className: `part span is-${bar.state} ${bar.endMs === undefined ? "open" : ""}`,
        fromMs: bar.startMs,
        toMs,
      },
    ];
  }
  const parts: BarPart[] = [];
  for (const [index, attempt] of bar.attempts.entries()) {
    parts.push(...attemptParts(attempt, nowMs, bar));
    const next = bar.attempts[index + 1];
    const toMs = next?.scheduledMs ?? (bar.state === "retrying" ? nowMs : undefined);
    if (attempt.endMs !== undefined && toMs !== undefined) {
      parts.push({ className: "part gap", fromMs: attempt.endMs, toMs });
    }
  }
  return parts;
}

function attemptParts(attempt: Attempt, nowMs: number, bar: Bar): BarPart[] {
  const { scheduledMs, startedMs, endMs } = attempt;
  const isOpen = endMs === undefined;
  const toMs = endMs ?? bar.endMs ?? nowMs;
  const state = isOpen && bar.endMs === undefined ? "running" : isOpen ? bar.state : attempt.state;
  if (startedMs === undefined) {
    return [{ className: `part run is-${state} ${isOpen ? "open" : ""}`, fromMs: scheduledMs, toMs }];
  }
  // The clocks of the worker and of the process that scheduled it may differ.
  const beganMs = Math.max(scheduledMs, Math.min(startedMs, toMs));
  return [
    { className: `part delay is-${state}`, fromMs: scheduledMs, toMs: beganMs },
    { className: `part run is-${state}`, fromMs: beganMs, toMs },
  ];
}
