/**
 * Adds to a commit what only traces and metrics read: `traceparent` on starts, activities and the first event of an
 * execution, and the number of the turn on its first event. Without a tracer and a meter it adds nothing. The observer
 * reports after the commit.
 *
 * - stamp-trace.T1: Stamping adds fields and changes none, so a turn does the same with and without a tracer.
 * - stamp-trace.T2: A span that begins here ends when its commit has succeeded; a span that never ends is never
 *   reported, so a turn that is run again reports nothing twice.
 * - stamp-trace.T3: A second ack of the same turn, for a turn that the store refused, replaces the spans of the first.
 */
import type { Clock } from "../../contract/clock.ts";
import type { OrchestrationItem, TurnContent } from "../../contract/provider.ts";
import type { ObservedExecution, ObservedTurn } from "../../observe/execution.ts";
import type { InstanceTraces } from "../../observe/instance-traces.ts";
import type { Observer } from "../../observe/observer.ts";
import { traceparentOf, withTraceparent } from "../../observe/trace-context.ts";
import type { OpenSpan, Tracing } from "../../observe/tracing.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { TurnCounts, withTurn } from "./turn-count.ts";

/** The trace stamps of one runtime. */
export class TraceStamps {
  readonly tracing: Tracing | undefined;
  readonly #traces: InstanceTraces | undefined;
  readonly clock: Clock;
  /** Absent without a meter. */
  readonly turnCounts: TurnCounts | undefined;

  constructor(
    { tracing, traces, isMetered }: Pick<Observer, "tracing" | "traces" | "isMetered">,
    clock: Clock,
  ) {
    this.tracing = tracing;
    this.#traces = traces;
    this.clock = clock;
    this.turnCounts = isMetered ? new TurnCounts() : undefined;
  }

  /** Makes the stamp before the turn. `memory` identifies the execution where its `history` is not read again. */
  of(execution: ObservedExecution, memory: object, history: readonly HistoryEvent[]): TraceStamp {
    const counts = execution.eventsBefore > 0 ? this.turnCounts : undefined;
    const stamp = new TraceStamp(this, execution, (counts?.before(memory, history) ?? 0) + 1);
    this.#traces?.note(execution.instanceId, stamp.traceparent);
    return stamp;
  }

  /** Takes note of the trace of fetched work, which may never become a turn. */
  saw({ instanceId, messages }: OrchestrationItem, { started }: HistoryIndex): void {
    if (this.#traces === undefined) return;
    const start = messages.find(({ kind }) => kind === "StartOrchestration" || kind === "ContinueAsNew");
    this.#traces.note(instanceId, traceparentOf(start ?? started));
  }

  /** Remembers the turns of an execution that stays in memory, whose history may not be read again. */
  remember({ turn }: TraceStamp, memory: object): void {
    this.turnCounts?.set(memory, turn);
  }
}

/** The trace stamps of one turn. */
export class TraceStamp implements ObservedTurn {
  readonly execution: ObservedExecution;
  readonly turn: number;
  /** The parent span of everything in this execution: the span of its start. */
  readonly traceparent: string | undefined;
  readonly #stamps: TraceStamps;
  /** The span that this turn opens for a start without a trace. */
  #originSpan: OpenSpan | undefined;
  /** The spans of the starts in the ack that was stamped last (stamp-trace.T3). */
  #startSpans: OpenSpan[] = [];

  constructor(stamps: TraceStamps, execution: ObservedExecution, turn: number) {
    this.execution = execution;
    this.turn = turn;
    this.#stamps = stamps;
    this.traceparent = stamps.tracing && this.#origin(execution);
  }

  /** The spans that end with the commit (stamp-trace.T2). */
  get spans(): readonly OpenSpan[] {
    return this.#originSpan === undefined ? this.#startSpans : [this.#originSpan, ...this.#startSpans];
  }

  /** Adds the trace to the first event of an execution, or to its payload. Later turns read it there. */
  stampStart<T extends object>(started: T): T {
    return withTraceparent(started, this.traceparent);
  }

  /** Adds to the ack what activities, children and later turns need: their trace, and the number of turns. */
  stampTrace<Content extends TurnContent>(ack: Content): Content {
    const { tracing, turnCounts } = this.#stamps;
    const traced = tracing === undefined ? ack : this.#trace(ack);
    if (turnCounts === undefined) return traced;
    return { ...traced, historyDelta: withTurn(traced.historyDelta, this.turn) };
  }

  /** Opens the span for a start from a client without a tracer, so that the execution is one trace. */
  #origin({ start, started, instanceId, name }: ObservedExecution): string | undefined {
    if (start === undefined) return traceparentOf(started);
    const stored = traceparentOf(start);
    if (stored !== undefined) return stored;
    this.#originSpan = this.#beginStart(instanceId, name, undefined);
    return this.#originSpan?.traceparent;
  }

  #trace<Content extends TurnContent>(ack: Content): Content {
    this.#startSpans = [];
    return {
      ...ack,
      workerItems: ack.workerItems.map((item) => withTraceparent(item, this.traceparent)),
      orchestratorItems: ack.orchestratorItems.map((item) => this.#traceStart(item)),
    };
  }

  /** A child joins its parent's trace. Each continue-as-new begins a trace, or the trace of a loop would never end. */
  #traceStart(item: OrchestratorItem): OrchestratorItem {
    if (item.kind !== "StartOrchestration" && item.kind !== "ContinueAsNew") return item;
    const { instance, orchestration } = item;
    const span =
      item.kind === "StartOrchestration"
        ? this.#beginStart(instance, orchestration, this.traceparent)
        : this.#beginStart(instance, orchestration, undefined, this.traceparent);
    if (span !== undefined) this.#startSpans.push(span);
    return withTraceparent(item, span?.traceparent);
  }

  #beginStart(
    instanceId: string,
    name: string,
    parent: string | undefined,
    link?: string,
  ): OpenSpan | undefined {
    const { tracing, clock } = this.#stamps;
    return tracing?.begin({
      name: `start ${name}`,
      kind: "producer",
      parent,
      link,
      startedAtMs: clock.now(),
      attributes: { "duroxide.instance_id": instanceId, "duroxide.orchestration_name": name },
    });
  }
}
