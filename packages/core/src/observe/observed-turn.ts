/**
 * What one commit tells those who watch. Figures and spans are reported when the commit has succeeded and not
 * before, so a turn that is run again, or replayed, reports nothing twice.
 */
import type { OrchestrationAck } from "../contract/provider.ts";
import { failureStack } from "../errors/failure-details.ts";
import type { EventOf } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";
import type { ExecutionEnd, ObservedExecution } from "./execution.ts";
import { exceptionOf } from "./execution.ts";
import { logEnd, logStart } from "./lifecycle-log.ts";
import type { ObserverTools } from "./observer-tools.ts";
import { countEnd, countRetries, countStart, type FinalFigures } from "./orchestration-metrics.ts";
import { traceparentOf, withTraceparent } from "./trace-context.ts";
import type { OpenSpan } from "./tracing.ts";
import { withTurn } from "./turn-count.ts";

export class ObservedTurn {
  readonly #tools: ObserverTools;
  readonly #execution: ObservedExecution;
  readonly #turn: number;
  /** The span that all of this execution hangs from: whoever asked for it made it. */
  readonly #traceparent: string | undefined;
  /** The span of a start that brought none; it ends when the commit succeeds. */
  #originSpan: OpenSpan | undefined;
  /** The spans of the starts in the ack that was prepared last. */
  #startSpans: OpenSpan[] = [];

  constructor(tools: ObserverTools, execution: ObservedExecution, turn: number) {
    this.#tools = tools;
    this.#execution = execution;
    this.#turn = turn;
    this.#traceparent = tools.tracing && this.#origin(execution);
  }

  /** This turn's number in its execution, from 1. */
  get turn(): number {
    return this.#turn;
  }

  /** The first event of an execution, or what it is made of, with its trace: all later turns read it there. */
  begin<T extends object>(started: T): T {
    return withTraceparent(started, this.#traceparent);
  }

  /** The ack with what activities, children and later turns need to know: their trace, and how many turns there were. */
  prepare(ack: OrchestrationAck): OrchestrationAck {
    const { instruments, tracing } = this.#tools;
    const traced = tracing === undefined ? ack : this.#trace(ack);
    if (instruments === undefined) return traced;
    return { ...traced, historyDelta: withTurn(traced.historyDelta, this.#turn) };
  }

  committed(ack: OrchestrationAck, end: ExecutionEnd | undefined): void {
    const { instruments, clock, logger } = this.#tools;
    if (instruments !== undefined) countRetries(instruments, this.#execution, ack.historyDelta);
    const began = startedIn(ack);
    if (began !== undefined) {
      if (instruments !== undefined) countStart(instruments, this.#execution, began);
      logStart(logger, this.#execution);
    }
    this.#originSpan?.end(clock.now());
    for (const span of this.#startSpans) span.end(clock.now());
    if (end !== undefined) this.#ended(ack, end, began ?? this.#execution.started);
  }

  /** The store did not take the turn: it will be run again, here or elsewhere. */
  notCommitted(): void {
    const { name: orchestration_name } = this.#execution;
    const labels = { orchestration_name, error_category: "infrastructure" };
    this.#tools.instruments?.infrastructureErrors.add(1, labels);
  }

  /** Whoever asked without a tracer gets a span made for it here, so that the execution is one trace all the same. */
  #origin({ start, started, instanceId, name }: ObservedExecution): string | undefined {
    if (start === undefined) return traceparentOf(started);
    const brought = traceparentOf(start);
    if (brought !== undefined) return brought;
    this.#originSpan = this.#beginStart({ instanceId, name }, undefined);
    return this.#originSpan?.traceparent;
  }

  #trace(ack: OrchestrationAck): OrchestrationAck {
    this.#startSpans = [];
    return {
      ...ack,
      workerItems: ack.workerItems.map((item) => withTraceparent(item, this.#traceparent)),
      orchestratorItems: ack.orchestratorItems.map((item) => this.#traceStart(item)),
    };
  }

  /** A child belongs to its parent's trace. The next execution begins its own, or one that runs for ever would have no end. */
  #traceStart(item: OrchestratorItem): OrchestratorItem {
    if (item.kind !== "StartOrchestration" && item.kind !== "ContinueAsNew") return item;
    const asked = { instanceId: item.instance, name: item.orchestration };
    const span =
      item.kind === "StartOrchestration"
        ? this.#beginStart(asked, this.#traceparent)
        : this.#beginStart(asked, undefined, this.#traceparent);
    if (span !== undefined) this.#startSpans.push(span);
    return withTraceparent(item, span?.traceparent);
  }

  #beginStart(
    { instanceId, name }: Pick<ObservedExecution, "instanceId" | "name">,
    parent: string | undefined,
    link?: string,
  ): OpenSpan | undefined {
    const { tracing, clock } = this.#tools;
    return tracing?.begin({
      name: `start ${name}`,
      kind: "producer",
      parent,
      link,
      startedAtMs: clock.now(),
      attributes: { "duroxide.instance_id": instanceId, "duroxide.orchestration_name": name },
    });
  }

  #ended(
    ack: OrchestrationAck,
    end: ExecutionEnd,
    started: EventOf<"OrchestrationStarted"> | undefined,
  ): void {
    const { instruments, clock, logger } = this.#tools;
    const nowMs = clock.now();
    const startedAtMs = started === undefined ? undefined : saturatedNumber(started.timestamp_ms);
    const figures: FinalFigures = {
      turns: this.#turn,
      historyEvents: this.#execution.eventsBefore + ack.historyDelta.length,
      durationMs: startedAtMs === undefined ? undefined : Math.max(0, nowMs - startedAtMs),
    };
    if (instruments !== undefined) countEnd(instruments, this.#execution, end, figures);
    const stack = end.kind === "failed" ? failureStack(end.details, end.thrown) : undefined;
    logEnd(logger, this.#execution, end, { ...figures, stack });
    const span = this.#beginSpan(end, figures, startedAtMs ?? nowMs);
    if (end.kind === "failed") span?.fail(exceptionOf(end.details, stack), nowMs);
    span?.end(nowMs);
  }

  /** One span for the whole execution, made at its end: no process need live as long as an orchestration does. */
  #beginSpan(end: ExecutionEnd, { historyEvents }: FinalFigures, startedAtMs: number): OpenSpan | undefined {
    const { instanceId, executionId, name, version } = this.#execution;
    return this.#tools.tracing?.begin({
      name: `orchestration ${name}`,
      kind: "consumer",
      parent: this.#traceparent,
      startedAtMs,
      attributes: {
        "duroxide.instance_id": instanceId,
        "duroxide.execution_id": executionId,
        "duroxide.orchestration_name": name,
        "duroxide.orchestration_version": version,
        "duroxide.outcome": end.kind,
        "duroxide.history_events": historyEvents,
      },
    });
  }
}

function startedIn({ historyDelta: [first] }: OrchestrationAck): EventOf<"OrchestrationStarted"> | undefined {
  return first?.type === "OrchestrationStarted" ? first : undefined;
}
