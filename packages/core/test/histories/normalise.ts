/** Takes out of an answer what may differ between two runs: times, and texts that are a runtime's own. */
import type { ErrorDetails } from "../../src/wire/error-details.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import type { Answer } from "../support/scripted-provider.ts";

export function normaliseAnswer(answer: Answer): unknown {
  if (answer.kind === "abandon") return answer;
  return {
    ...answer,
    historyDelta: answer.historyDelta.map(normaliseEvent),
    orchestratorItems: answer.orchestratorItems.map(normaliseItem),
  };
}

function normaliseEvent(event: HistoryEvent): unknown {
  return {
    ...event,
    timestamp_ms: 0,
    ...("fire_at_ms" in event && { fire_at_ms: 0 }),
    ...("last_updated_at_ms" in event && { last_updated_at_ms: 0 }),
    ...("details" in event && { details: normaliseDetails(event.details) }),
  };
}

function normaliseItem(item: OrchestratorItem): unknown {
  return {
    ...item,
    ...("fire_at_ms" in item && { fire_at_ms: 0 }),
    ...("details" in item && { details: normaliseDetails(item.details) }),
  };
}

/** What a TypeScript worker adds about a thrown error has no counterpart in Rust. */
function normaliseDetails(details: ErrorDetails): unknown {
  if (!("Application" in details)) return details;
  const { thrown: _thrown, ...application } = details.Application;
  return { Application: application };
}
