/** Compares how a stored execution ended with what today's code does there. */
import { thrownMessage } from "../../errors/thrown-value.ts";
import { displayMessage } from "../../wire/error-details.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { shorten } from "./describe.ts";
import { divergence } from "./follow-history.ts";
import type { TracedExecution } from "./traced-execution.ts";

/** Throws ReplayDivergenceError where they differ. A deadline that has passed may end what the code has not. */
export function compareEnd(live: TracedExecution, terminal: HistoryEvent, timedOut: boolean): void {
  if (timedOut && terminal.type === "OrchestrationFailed") return;
  const recorded = recordedEnd(terminal);
  const actual = recorded === undefined ? undefined : actualEnd(live);
  if (recorded === actual || isSameJson(recorded, actual)) return;
  throw divergence(live, terminal, {
    recorded: shorten(recorded ?? terminal.type),
    actual: shorten(actual ?? "goes on"),
    location: live.awaited.at(-1)?.location ?? live.lastCall?.location,
  });
}

/** `undefined` for an end that was not the code's doing: a cancellation, poison, a failed commit. */
function recordedEnd(terminal: HistoryEvent): string | undefined {
  switch (terminal.type) {
    case "OrchestrationCompleted":
      return `returns ${terminal.output}`;
    case "OrchestrationContinuedAsNew":
      return `continues as new with ${terminal.input}`;
    case "OrchestrationFailed": {
      const { details } = terminal;
      const byCode = "Application" in details && details.Application.kind === "OrchestrationFailed";
      return byCode ? `throws ${displayMessage(details)}` : undefined;
    }
    default:
      return undefined;
  }
}

/** In the order in which the engine decides (docs/reference/runtime-semantics.md §1.8). */
function actualEnd(live: TracedExecution): string {
  const { continuation, outcome, codec } = live;
  if (continuation !== undefined) return `continues as new with ${continuation.input}`;
  if (outcome?.kind === "threw") return `throws ${thrownMessage(outcome.error)}`;
  if (outcome?.kind !== "returned") return "has not ended";
  try {
    return `returns ${codec.encode(outcome.value)}`;
  } catch (error) {
    return `throws ${thrownMessage(error)}`;
  }
}

/** Another worker may have written the same value with its keys in another order. */
function isSameJson(recorded: string | undefined, actual: string | undefined): boolean {
  const values = [recorded, actual].map((text) => canonical(/^returns (.*)$/s.exec(text ?? "")?.[1]));
  return values[0] !== undefined && values[0] === values[1];
}

function canonical(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    return undefined;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
