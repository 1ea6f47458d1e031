/** Feeds a stored execution to the current code, one event at a time, and stops at the first mismatch. */
import { thrownText } from "../../errors/thrown-value.ts";
import { requestedBy } from "../../replay/calls/table.ts";
import type { LiveExecution } from "../../replay/code/live-execution.ts";
import { patchesOfStart } from "../../replay/history/beginning.ts";
import { matters } from "../../replay/history/cancellation.ts";
import { checkRecordedDrops, checkUnrecordedDrops } from "../../replay/history/record-drops.ts";
import { ReplayFailure } from "../../replay/replay-failure.ts";
import { type HistoryEvent, isTerminal } from "../../wire/event.ts";
import { ReplayDivergenceError } from "./replay-divergence-error.ts";
import type { TracedExecution } from "./traced-execution.ts";

/** Feeds all events before the terminal event and returns that; `undefined` for a running execution. */
export async function followHistory(
  execution: TracedExecution,
  events: readonly HistoryEvent[],
): Promise<HistoryEvent | undefined> {
  const { live } = execution;
  live.replaying(true);
  live.decisions.known(patchesOfStart(events));
  const terminal = events.find(isTerminal);
  const before = terminal === undefined ? events : events.slice(0, events.indexOf(terminal));
  for (const event of before) await feed(execution, event);
  const last = before.at(-1);
  if (last !== undefined) checkDrops(live, events, last, terminal === undefined);
  return terminal;
}

/** After the code has ended, answers have no effect; the calls that it made must still match. */
async function feed(execution: TracedExecution, event: HistoryEvent): Promise<void> {
  const { live } = execution;
  if (live.outcome !== undefined && !matters(event)) return;
  try {
    await live.apply(event);
  } catch (error) {
    if (error instanceof ReplayFailure) throw diverged(execution, event, error);
    throw error;
  }
}

function diverged(
  execution: TracedExecution,
  event: HistoryEvent,
  failure: ReplayFailure,
): ReplayDivergenceError {
  const { live } = execution;
  const asked = requestedBy(event.type) !== undefined ? execution.unrecorded[0] : undefined;
  return divergence(live, event, {
    recorded: describeEvent(event),
    actual: asked === undefined ? withoutCall(live, event, failure) : asked.kind.describe(asked.request),
    location: asked?.location ?? execution.lastCall?.location,
  });
}

/** The call that the event records; any other event by its type. */
function describeEvent(event: HistoryEvent): string {
  const kind = requestedBy(event.type);
  return kind?.describe(kind.recorded(event)) ?? event.type;
}

function withoutCall(live: LiveExecution, event: HistoryEvent, { message }: ReplayFailure): string {
  if (requestedBy(event.type) === undefined) return message;
  if (live.outcome?.kind === "returned") return "has returned and makes no more calls";
  if (live.outcome?.kind === "threw") return `has thrown ${thrownText(live.outcome.error)}`;
  return message.includes("not durable") ? message : "makes no call here; its last call was the one below";
}

export function divergence(
  { identity: { instanceId, executionId } }: LiveExecution,
  event: HistoryEvent,
  difference: { recorded: string; actual: string; location?: string | undefined },
): ReplayDivergenceError {
  return new ReplayDivergenceError({ instanceId, executionId, event, location: undefined, ...difference });
}

function checkDrops(
  live: LiveExecution,
  events: readonly HistoryEvent[],
  last: HistoryEvent,
  isRunning: boolean,
): void {
  try {
    checkRecordedDrops(events, live.droppedCalls);
    // The end of an execution drops all open calls.
    if (isRunning && !live.hasEnded && !live.mustReplay) checkUnrecordedDrops(events, live.droppedCalls);
  } catch (error) {
    if (!(error instanceof ReplayFailure)) throw error;
    const recorded = "other calls that were dropped";
    throw divergence(live, last, { recorded, actual: error.message });
  }
}
