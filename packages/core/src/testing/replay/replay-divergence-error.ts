/** The current code does not do what a stored history records. */
import type { HistoryEvent } from "../../wire/event.ts";

export interface Divergence {
  readonly instanceId: string;
  readonly executionId: number;
  /** The first event at which history and code differ. */
  readonly event: HistoryEvent;
  /** The recorded call, such as `scheduleActivity("ship", "r1")`. */
  readonly recorded: string;
  /** Behaviour of the current code instead. */
  readonly actual: string;
  /** `file:line:column` of the call that the code makes instead, or of its previous call; if known. */
  readonly location: string | undefined;
}

/** The current code differs from a stored history; the message has both, and the line of the code. */
export class ReplayDivergenceError extends Error {
  override readonly name = "ReplayDivergenceError";
  readonly instanceId: string;
  readonly executionId: number;
  readonly eventId: number;
  readonly event: HistoryEvent;
  readonly recorded: string;
  readonly actual: string;
  readonly location: string | undefined;

  constructor(divergence: Divergence) {
    const { instanceId, executionId, event, recorded, actual, location } = divergence;
    super(
      [
        `instance "${instanceId}", execution ${executionId}: history and code differ at event ${event.event_id} (${event.type})`,
        `  history has: ${recorded}`,
        `  the code:    ${actual}`,
        ...(location === undefined ? [] : [`  at ${location}`]),
      ].join("\n"),
    );
    this.instanceId = instanceId;
    this.executionId = executionId;
    this.eventId = Number(event.event_id);
    this.event = event;
    this.recorded = recorded;
    this.actual = actual;
    this.location = location;
  }
}
