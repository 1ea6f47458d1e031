/** Takes out of an answer what may differ between two runs: times, and texts that are a runtime's own. */
import type { ErrorDetails } from "../../src/wire/error-details.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import type { Answer } from "../support/scripted-provider.ts";

export function normaliseAnswer(answer: Answer): unknown {
  // The recorded runtimes had a back-off of 20 ms.
  if (answer.kind === "abandon") return { ...answer, delayMs: Math.sign(answer.delayMs ?? 0) };
  // Rust leaves them in the queue.
  const { droppedTimers: _dropped, ...rest } = answer;
  return {
    ...rest,
    historyDelta: answer.historyDelta.map(normaliseEvent),
    workerItems: answer.workerItems.map(({ retry_of: _retryOf, run_id: _runId, ...item }) => item),
    orchestratorItems: answer.orchestratorItems.map(normaliseItem),
    metadata: { ...answer.metadata, ...normaliseOutput(answer.metadata.output) },
  };
}

/** The text of a poison goes on with what is known of the last attempt. */
function normaliseOutput(output: string | null | undefined): { readonly output?: string | null } {
  if (typeof output !== "string") return {};
  return { output: output.replace(/^(poison: .* \(max \d+\)).*$/s, "$1") };
}

function normaliseEvent(event: HistoryEvent): unknown {
  return {
    ...withoutMarks(event),
    timestamp_ms: 0,
    ...("fire_at_ms" in event && { fire_at_ms: 0 }),
    ...("last_updated_at_ms" in event && { last_updated_at_ms: 0 }),
    ...("details" in event && { details: normaliseDetails(event.details) }),
  };
}

/**
 * Removes which attempt an event belongs to, where an activity ran, what was drawn and which timers were dropped: Rust
 * has no counterpart of these.
 */
function withoutMarks({ dropped_timers: _dropped, ...event }: HistoryEvent): object {
  switch (event.type) {
    case "OrchestrationStarted": {
      const { run_id: _runId, ...started } = event;
      return started;
    }
    case "ActivityScheduled": {
      const { attempt: _attempt, retry_of: _retryOf, max_attempts: _max, ...scheduled } = event;
      return scheduled;
    }
    case "TimerCreated": {
      const { pause_after: _pauseAfter, limit_of: _limitOf, ...created } = event;
      return created;
    }
    case "ActivityCompleted": {
      const { ran: _ran, ...completed } = event;
      return completed;
    }
    case "ActivityFailed": {
      const { ran: _ran, final: _final, ...failed } = event;
      return failed;
    }
    case "TimerFired": {
      const { final: _final, ...fired } = event;
      return fired;
    }
    default:
      return event;
  }
}

function normaliseItem(item: OrchestratorItem): unknown {
  return {
    ...item,
    ...("fire_at_ms" in item && { fire_at_ms: 0 }),
    ...("details" in item && { details: normaliseDetails(item.details) }),
  };
}

/**
 * Removes what a TypeScript runtime adds about a thrown error, or about the last attempt: Rust has no counterpart of
 * it.
 */
function normaliseDetails(details: ErrorDetails): unknown {
  if ("Poison" in details) {
    const { last_error: _lastError, ...poison } = details.Poison;
    return { Poison: poison };
  }
  if (!("Application" in details)) return details;
  const { thrown: _thrown, ...application } = details.Application;
  return { Application: application };
}
