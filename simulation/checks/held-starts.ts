/**
 * Starts that are held back.
 *
 * - held-starts.H1: Not more instances of a key have begun and not ended than its rule lets, at any instant.
 * - held-starts.H2: Calls that become one start begin one instance, with the input of the last call that was answered
 *   before it was due. It is due when no further call has come for the time to wait, or the longest time is over.
 */
import type { HistoryEvent, LimitRule } from "@duroxide-ts/core";
import { isTerminal, PERMIT_TAG } from "@duroxide-ts/core/stores";
import type { Debounced, Task } from "../programs/step.ts";
import type { Stored } from "../store/simulated-store.ts";

/** held-starts.H1. */
export function overfull(stored: Stored, rules: Readonly<Record<string, LimitRule>>): readonly string[] {
  const running = new Map<string, string[]>();
  for (const { key, status } of stored.ends) {
    const events = (stored.histories.get(key) ?? []).map((event) => stored.decode(event));
    const [first] = events;
    if (status !== "Running" || first?.type !== "OrchestrationStarted" || first.limit === undefined) continue;
    if (!hasPermit(first, events)) continue;
    running.set(first.limit, [...(running.get(first.limit) ?? []), key]);
  }
  return [...running].flatMap(([key, instances]) =>
    instances.length > (rules[key]?.concurrency ?? Number.POSITIVE_INFINITY)
      ? [`limit ${key}: ${instances.join(", ")} have begun at once`]
      : [],
  );
}

function hasPermit(first: HistoryEvent, events: readonly HistoryEvent[]): boolean {
  if (events.some(isTerminal)) return false;
  if (first.type === "OrchestrationStarted" && first.has_permit === true) return true;
  const asked = events.find((event) => event.type === "ActivityScheduled" && event.tag === PERMIT_TAG);
  return events.some(
    ({ type, source_event_id: source }) => type === "ActivityCompleted" && source === asked?.event_id,
  );
}

/** A call that became a part of a start, ms by the clock of the world. */
export interface HeldCall {
  readonly askedMs: number;
  /** Absent where it was not answered. */
  answeredMs?: number;
}

/** held-starts.H2, where clocks agree. */
export function wrongDebounce(
  instanceId: string,
  { waitMs, maxMs = Number.POSITIVE_INFINITY }: Debounced,
  calls: readonly HeldCall[],
  [first]: readonly HistoryEvent[],
): readonly string[] {
  const [firstCall] = calls;
  if (first?.type !== "OrchestrationStarted" || firstCall === undefined) return [];
  const { timestamp_ms: time, start_at_ms: due = time } = first;
  const dueMs = Number(due);
  const beganMs = Number(time);
  const { call = 0 } = JSON.parse(first.input) as Task;
  const missed = calls.findIndex(
    ({ answeredMs = Number.POSITIVE_INFINITY }, at) => at > call && answeredMs < dueMs,
  );
  const askedMs = calls[call]?.askedMs ?? Number.POSITIVE_INFINITY;
  const earliestMs = Math.min(askedMs + waitMs, firstCall.askedMs + maxMs);
  return [
    ...(missed < 0
      ? []
      : [`${instanceId}: began with the input of call ${call}, and call ${missed} came before`]),
    ...(beganMs < earliestMs
      ? [`${instanceId}: began ${earliestMs - beganMs} ms before the end of the wait`]
      : []),
  ];
}
