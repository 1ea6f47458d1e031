/** Feeds a stored execution to today's code, one event at a time, and stops at the first event that does not fit. */
import { thrownText } from "../../errors/thrown-value.ts";
import { isActionEvent } from "../../replay/action.ts";
import { checkRecordedDrops, checkUnrecordedDrops } from "../../replay/dropped-calls.ts";
import { ReplayFailure } from "../../replay/replay-failure.ts";
import { type HistoryEvent, isTerminal } from "../../wire/event.ts";
import { describeAction, describeEvent } from "./describe.ts";
import { ReplayDivergenceError } from "./replay-divergence-error.ts";
import type { TracedExecution } from "./traced-execution.ts";

/** Feeds everything before the terminal event, which is returned; `undefined` for an execution that runs. */
export async function followHistory(
  live: TracedExecution,
  events: readonly HistoryEvent[],
): Promise<HistoryEvent | undefined> {
  live.isReplaying = true;
  const terminal = events.find(isTerminal);
  const before = terminal === undefined ? events : events.slice(0, events.indexOf(terminal));
  for (const event of before) await feed(live, event);
  const last = before.at(-1);
  if (last !== undefined) checkDrops(live, events, last, terminal === undefined);
  return terminal;
}

/** Once the code has ended, answers have nobody to go to; the calls that it made must still be there. */
async function feed(live: TracedExecution, event: HistoryEvent): Promise<void> {
  if (live.outcome !== undefined && !isActionEvent(event)) return;
  try {
    await live.apply(event);
  } catch (error) {
    if (error instanceof ReplayFailure) throw diverged(live, event, error);
    throw error;
  }
}

function diverged(live: TracedExecution, event: HistoryEvent, failure: ReplayFailure): ReplayDivergenceError {
  const asked = isActionEvent(event) ? live.unrecorded[0] : undefined;
  return divergence(live, event, {
    recorded: describeEvent(event),
    actual: asked === undefined ? withoutCall(live, event, failure) : describeAction(asked.action),
    location: asked?.location ?? live.lastCall?.location,
  });
}

function withoutCall(live: TracedExecution, event: HistoryEvent, { message }: ReplayFailure): string {
  if (!isActionEvent(event)) return message;
  if (live.outcome?.kind === "returned") return "has returned and asks for nothing more";
  if (live.outcome?.kind === "threw") return `has thrown ${thrownText(live.outcome.error)}`;
  return message.includes("not durable") ? message : "asks for nothing here; its last call was the one below";
}

export function divergence(
  live: TracedExecution,
  event: HistoryEvent,
  difference: { recorded: string; actual: string; location?: string | undefined },
): ReplayDivergenceError {
  const { instanceId, executionId } = live;
  return new ReplayDivergenceError({ instanceId, executionId, event, location: undefined, ...difference });
}

function checkDrops(
  live: TracedExecution,
  events: readonly HistoryEvent[],
  last: HistoryEvent,
  isRunning: boolean,
): void {
  try {
    checkRecordedDrops(events, live.droppedCalls);
    // An end gives up whatever is open.
    if (isRunning && !live.hasEnded && !live.replaysOnly) checkUnrecordedDrops(events, live.droppedCalls);
  } catch (error) {
    if (!(error instanceof ReplayFailure)) throw error;
    const recorded = "other calls that were given up";
    throw divergence(live, last, { recorded, actual: error.message });
  }
}
