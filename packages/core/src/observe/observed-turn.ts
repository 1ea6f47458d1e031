/**
 * Reports a turn after its commit has succeeded, so that a turn that is run again, or replayed, is not reported twice.
 */
import type { TurnContent } from "../contract/provider.ts";
import { failureStack } from "../errors/failure-details.ts";
import type { EventOf } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";
import { type ExecutionEnd, exceptionOf, type ObservedTurn } from "./execution.ts";
import { logEnd, logStart } from "./lifecycle-log.ts";
import type { ObserverTools } from "./observer-tools.ts";
import {
  countEnd,
  countRetries,
  countSetAside,
  countStart,
  type FinalFigures,
} from "./orchestration-metrics.ts";

/** `end` is absent if the execution continues. */
export function reportTurn(
  tools: ObserverTools,
  turn: ObservedTurn,
  ack: TurnContent,
  end: ExecutionEnd | undefined,
): void {
  const { instruments, clock, logger } = tools;
  const { execution, spans } = turn;
  if (instruments !== undefined) {
    countRetries(instruments, execution, ack.historyDelta);
    countSetAside(instruments, execution, ack.historyDelta);
  }
  const began = startedIn(ack);
  if (began !== undefined) {
    if (instruments !== undefined) countStart(instruments, execution, began);
    logStart(logger, execution);
  }
  for (const span of spans) span.end(clock.now());
  if (end !== undefined) reportEnd(tools, turn, { ack, end, started: began ?? execution.started });
}

interface Ended {
  readonly ack: TurnContent;
  readonly end: ExecutionEnd;
  readonly started: EventOf<"OrchestrationStarted"> | undefined;
}

function reportEnd(tools: ObserverTools, turn: ObservedTurn, { ack, end, started }: Ended): void {
  const { instruments, clock, logger } = tools;
  const { execution } = turn;
  const nowMs = clock.now();
  const startedAtMs = started === undefined ? undefined : Math.min(nowMs, begunAtMs(started));
  const figures: FinalFigures = {
    turns: turn.turn,
    historyEvents: execution.eventsBefore + ack.historyDelta.length,
    durationMs: startedAtMs === undefined ? undefined : Math.max(0, nowMs - startedAtMs),
  };
  if (instruments !== undefined) countEnd(instruments, execution, end, figures);
  const stack = end.kind === "failed" ? failureStack(end.details, end.thrown) : undefined;
  logEnd(logger, execution, end, { ...figures, stack });
  // One span for the whole execution, created at its end, because no process may run as long as the orchestration.
  const span = tools.tracing?.begin({
    name: `orchestration ${execution.name}`,
    kind: "consumer",
    parent: turn.traceparent,
    startedAtMs: startedAtMs ?? nowMs,
    attributes: {
      "duroxide.instance_id": execution.instanceId,
      "duroxide.execution_id": execution.executionId,
      "duroxide.orchestration_name": execution.name,
      "duroxide.orchestration_version": execution.version,
      "duroxide.outcome": end.kind,
      "duroxide.history_events": figures.historyEvents,
    },
  });
  if (end.kind === "failed") span?.fail(exceptionOf(end.details, stack), nowMs);
  span?.end(nowMs);
}

/** A delayed start is no part of the duration. */
function begunAtMs({ timestamp_ms, start_at_ms = 0 }: EventOf<"OrchestrationStarted">): number {
  return Math.max(saturatedNumber(timestamp_ms), saturatedNumber(start_at_ms));
}

function startedIn({ historyDelta: [first] }: TurnContent): EventOf<"OrchestrationStarted"> | undefined {
  return first?.type === "OrchestrationStarted" ? first : undefined;
}
