/** Compares the end of a stored execution with the end of the current code. */
import { thrownMessage } from "../../errors/thrown-value.ts";
import { samePayload } from "../../payload/same-payload.ts";
import { shortenForApi } from "../../replay/calls/content.ts";
import type { LiveExecution } from "../../replay/code/live-execution.ts";
import { displayMessage } from "../../wire/error-details.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { divergence } from "./follow-history.ts";
import type { TracedExecution } from "./traced-execution.ts";

/** Throws ReplayDivergenceError if they differ. A deadline may have ended an execution whose code has not ended. */
export function compareEnd(execution: TracedExecution, terminal: HistoryEvent, timedOut: boolean): void {
  if (timedOut && terminal.type === "OrchestrationFailed") return;
  const recorded = recordedEnd(terminal);
  if (recorded === undefined) return;
  const { live } = execution;
  const actual = actualEnd(live);
  if (isSameEnd(live, recorded, actual)) return;
  throw divergence(live, terminal, {
    recorded: shortenForApi(describeEnd(recorded)),
    actual: shortenForApi(describeEnd(actual)),
    location: execution.awaited.at(-1)?.location ?? execution.lastCall?.location,
  });
}

/** The kind of an execution's end, and its text. */
interface End {
  readonly how: "returns" | "continues as new with" | "throws" | "has not ended";
  /** A payload, or the message of a thrown error. */
  readonly text: string;
}

function describeEnd({ how, text }: End): string {
  return text === "" ? how : `${how} ${text}`;
}

/** Compares payloads by value, because another worker may have written the same value as another text. */
function isSameEnd({ surroundings }: LiveExecution, recorded: End, actual: End): boolean {
  if (recorded.how !== actual.how) return false;
  if (recorded.how === "throws") return recorded.text === actual.text;
  return samePayload(surroundings.codec, recorded.text, actual.text);
}

/** `undefined` for an end that the code did not cause: a cancellation, poison, a failed commit. */
function recordedEnd(terminal: HistoryEvent): End | undefined {
  switch (terminal.type) {
    case "OrchestrationCompleted":
      return { how: "returns", text: terminal.output };
    case "OrchestrationContinuedAsNew":
      return { how: "continues as new with", text: terminal.input };
    case "OrchestrationFailed": {
      const { details } = terminal;
      const byCode = "Application" in details && details.Application.kind === "OrchestrationFailed";
      return byCode ? { how: "throws", text: displayMessage(details) } : undefined;
    }
    default:
      return undefined;
  }
}

/** Finds the end in the engine's order of precedence (docs/reference/runtime-semantics.md §1.8). */
function actualEnd({ continuation, outcome, surroundings, identity }: LiveExecution): End {
  if (continuation !== undefined) return { how: "continues as new with", text: continuation.input };
  if (outcome?.kind === "threw") return { how: "throws", text: thrownMessage(outcome.error) };
  if (outcome?.kind !== "returned") return { how: "has not ended", text: "" };
  try {
    const text = surroundings.codec.encode(outcome.value, "orchestration-output", identity.program.name);
    return { how: "returns", text };
  } catch (error) {
    return { how: "throws", text: thrownMessage(error) };
  }
}
